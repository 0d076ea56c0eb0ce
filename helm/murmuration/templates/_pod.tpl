{{- /* Parts of every pod: the restricted security context, the configuration, and secrets as files. */ -}}

{{- define "murmuration.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "murmuration.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- /* One value as text; whole numbers never in scientific notation. */ -}}
{{- define "murmuration.text" -}}
{{- if kindIs "float64" . -}}
{{- if or (gt . 9007199254740991.0) (lt . -9007199254740991.0) }}{{ fail (printf "%.0f is a number with more digits than Helm keeps: write it in quotes" .) }}{{ end -}}
{{- if eq (floor .) . }}{{ int64 . }}{{ else }}{{ toString . }}{{ end -}}
{{- else }}{{ toString . }}{{ end -}}
{{- end -}}

{{- /* name: value lines of everything an operator configured. */ -}}
{{- define "murmuration.config" -}}
{{- range $name, $value := mergeOverwrite (deepCopy .Values.config) (.Values.extraConfig | default dict) -}}
{{- if not (kindIs "invalid" $value) }}
{{ $name }}: {{ include "murmuration.text" $value | quote }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The keys of the Secret that a pod cannot start without, each a file. Takes a dict of root and role. */ -}}
{{- define "murmuration.secretItems" -}}
{{- $own := .root.Values.secrets.perService -}}
{{- $prefix := ternary (printf "%s_" (upper .role.service)) "" $own -}}
- { key: SECRET_KEY_BASE, path: SECRET_KEY_BASE }
{{- if has "postgres" .role.needs }}
- { key: {{ $prefix }}DATABASE_URL, path: {{ $prefix }}DATABASE_URL }
{{- end }}
{{- if has "nats" .role.needs }}
- { key: NATS_URL, path: NATS_URL }
{{- end }}
{{- if has "redis" .role.needs }}
- { key: {{ $prefix }}REDIS_URL, path: REDIS_URL }
{{- end }}
{{- if has "redis-cache" .role.needs }}
- { key: {{ $prefix }}REDIS_CACHE_URL, path: REDIS_CACHE_URL }
{{- end }}
{{- with .root.Values.secrets.authorityKey }}
- { key: {{ . }}, path: authority.pem }
{{- end }}
{{- end -}}

{{- /* The volume itself; keys that may be absent stand in a second source. Takes a dict of root and role. */ -}}
{{- define "murmuration.secretVolume" -}}
{{- $secrets := .root.Values.secrets -}}
{{- $optional := append (index $secrets.keys .role.service | default list) "VAPID_PUBLIC_KEY" -}}
{{- /* Only these services store secrets that they must read again. */ -}}
{{- if has .role.service (list "accounts" "admin" "notifications") }}{{ $optional = append $optional "SECRET_KEY_BASE_PREVIOUS" }}{{ end -}}
{{- if and (has "blob" .role.needs) (not .root.Values.blob.existingClaim) -}}
{{- $optional = concat $optional (list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY") -}}
{{- end -}}
name: secrets
projected:
  defaultMode: 288 # 0440: YAML 1.2 reads a leading zero as decimal
  sources:
    - secret:
        name: {{ $secrets.existingSecret }}
        items:
          {{- include "murmuration.secretItems" . | nindent 10 }}
    - secret:
        name: {{ $secrets.existingSecret }}
        optional: true
        items:
          {{- range uniq $optional }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
{{- end -}}

{{- /* Environment that differs by role. Takes a dict of root and role. */ -}}
{{- define "murmuration.env" -}}
- { name: MODE, value: production }
- { name: SECRETS_DIR, value: /run/secrets/murmuration }
- { name: OTEL_SERVICE_NAME, value: murmuration-{{ include "murmuration.key" .role }} }
{{- if .root.Values.secrets.authorityKey }}
- { name: NODE_EXTRA_CA_CERTS, value: /run/secrets/murmuration/authority.pem }
{{- end }}
{{- end -}}
