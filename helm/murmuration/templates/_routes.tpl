{{- /* Which path belongs to which surface, once for the Ingress and once for the Gateway API. */ -}}

{{- /* {"client": Service, …}: the Service of each surface. */ -}}
{{- define "murmuration.surfaces" -}}
{{- $root := . -}}
{{- $surfaces := dict -}}
{{- range $role := (include "murmuration.roles" . | fromJson).roles -}}
{{- if $role.http -}}
{{- $_ := set $surfaces $role.http.surface (printf "%s-%s" (include "murmuration.fullname" $root) (include "murmuration.key" $role)) -}}
{{- end -}}
{{- end -}}
{{- $surfaces | toJson -}}
{{- end -}}

{{- /* Paths that are not the client surface's. */ -}}
{{- define "murmuration.paths" -}}
{"paths": [
  {"path": "/api/v1/streaming", "surface": "streaming"},
  {"path": "/inbox", "surface": "federation"},
  {"path": "/actor", "surface": "federation"},
  {"path": "/users", "surface": "federation"},
  {"path": "/ap", "surface": "federation"},
  {"path": "/.well-known", "surface": "federation"},
  {"path": "/nodeinfo", "surface": "federation"}
]}
{{- end -}}

{{- define "murmuration.webDomain" -}}
{{- .Values.config.WEB_DOMAIN | default .Values.config.LOCAL_DOMAIN -}}
{{- end -}}

{{- /* The host of a domain such as social.example:8443. Hosts of routes have no port. */ -}}
{{- define "murmuration.host" -}}{{ regexReplaceAll ":[0-9]+$" . "" }}{{- end -}}

{{- /*
The host of config.STREAMING_API_BASE_URL; empty if it is the web domain, not set, or not to be routed. After an upgrade with
--reuse-values, streamingHost is absent, and counts as true.
*/ -}}
{{- define "murmuration.streamingHost" -}}
{{- with and (ne (toString .Values.ingress.streamingHost) "false") .Values.config.STREAMING_API_BASE_URL -}}
{{- $host := (urlParse .).host | include "murmuration.host" -}}
{{- if ne $host (include "murmuration.webDomain" $ | include "murmuration.host") }}{{ $host }}{{ end -}}
{{- end -}}
{{- end -}}

{{- /* Takes values.ingress.gateway. */ -}}
{{- define "murmuration.parentRef" -}}
- name: {{ required "ingress.gateway.name: the Gateway that these routes hang on" .name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  {{- with .sectionName }}
  sectionName: {{ . }}
  {{- end }}
{{- end -}}
