{{- /* Pieces of the network policies: where a need leads, and the internet without its private parts. */ -}}

{{- define "murmuration.internet" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except:
      - 0.0.0.0/8
      - 10.0.0.0/8
      - 100.64.0.0/10
      - 127.0.0.0/8
      - 169.254.0.0/16
      - 172.16.0.0/12
      - 192.0.0.0/24
      - 192.168.0.0/16
      - 198.18.0.0/15
      - 224.0.0.0/4
      - 240.0.0.0/4
- ipBlock:
    cidr: ::/0
    except: ["::/8", "64:ff9b:1::/48", "fc00::/7", "fe80::/10", "ff00::/8"]
{{- end -}}

{{- /* One egress rule. Takes a dict of root and need. */ -}}
{{- define "murmuration.edge" -}}
{{- $target := index .root.Values.network .need -}}
- ports:
    {{- range $target.ports }}
    - { port: {{ int . }}, protocol: TCP }
    {{- end }}
  to:
    {{- if $target.to }}
    {{- toYaml $target.to | nindent 4 }}
    {{- else }}
    {{- include "murmuration.internet" .root | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "murmuration.dns" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  to:
    {{- with (.Values.network.dns | default dict).to }}
    {{- toYaml . | nindent 4 }}
    {{- else }}
    {{- fail "network.dns.to: name the peers that resolve host names; Kubernetes takes an empty list as every address" }}
    {{- end }}
{{- end -}}
