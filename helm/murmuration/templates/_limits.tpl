{{- /* Requests and limits: the limits are four times the requested CPU and twice the requested memory, unless a role sets others. */ -}}

{{- /* Takes a role with cpu ("250m" or "1") and memory ("256Mi" or "1Gi"). */ -}}
{{- define "murmuration.resources" -}}
{{- $cpu := toString .cpu -}}
{{- $milli := include "murmuration.milli" $cpu | int -}}
{{- $memory := toString .memory -}}
{{- $unit := regexFind "[A-Za-z]+$" $memory -}}
{{- $double := printf "%d%s" (mul 2 (trimSuffix $unit $memory | int)) $unit -}}
requests:
  cpu: {{ $cpu | quote }}
  memory: {{ $memory }}
  ephemeral-storage: 64Mi
limits:
  cpu: {{ .cpuLimit | default (printf "%dm" (mul 4 $milli)) | quote }}
  memory: {{ .memoryLimit | default $double }}
  ephemeral-storage: {{ add 256 (include "murmuration.mebi" (include "murmuration.tmp" .)) }}Mi
{{- end -}}

{{- /* Size of the volume for temporary files. A transcode stores its source and its result there. */ -}}
{{- define "murmuration.tmp" -}}
{{- .tmp | default (ternary "4Gi" "128Mi" (eq .image "media")) -}}
{{- end -}}

{{- /* "2Gi" → 2048. */ -}}
{{- define "murmuration.mebi" -}}
{{- if hasSuffix "Gi" . }}{{ mul 1024 (trimSuffix "Gi" . | int) }}{{ else }}{{ trimSuffix "Mi" . | int }}{{ end -}}
{{- end -}}

{{- /* Most connections to PostgreSQL that all pods open together; the migrations compare it with what the server takes. */ -}}
{{- define "murmuration.connections" -}}
{{- $connections := 0 -}}
{{- range (include "murmuration.roles" . | fromJson).roles -}}
{{- if has "postgres" .needs -}}
{{- $pods := int (ternary .maxReplicas .minReplicas $.Values.autoscaling.enabled) -}}
{{- $pool := index (.env | default dict) "DB_POOL" | default $.Values.config.DB_POOL | default 8 -}}
{{- $connections = add $connections (mul $pods (int $pool)) -}}
{{- end -}}
{{- end -}}
{{- $connections -}}
{{- end -}}
