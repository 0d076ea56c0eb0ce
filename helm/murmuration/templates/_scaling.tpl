{{- /* Shared by both kinds of autoscalers. */ -}}

{{- /* {"name", "oldestSeconds" or "average"}: the metric that a role scales by, or {}. Takes a dict of root and role. */ -}}
{{- define "murmuration.metric" -}}
{{- $metric := index .root.Values.autoscaling.metrics (include "murmuration.key" .role) | default dict -}}
{{- if $metric.oldestSeconds -}}
{{- dict "name" "murmuration_consumer_oldest_seconds" "oldestSeconds" $metric.oldestSeconds | toJson -}}
{{- else -}}
{{- $metric | toJson -}}
{{- end -}}
{{- end -}}
