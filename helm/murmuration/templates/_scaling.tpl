{{- /* What both kinds of autoscalers share: the metric of a role, and how fast its pods come and go. */ -}}

{{- /* {"name", "oldestSeconds" or "average"}: the metric that a role scales by, or {}. Takes a dict of root and role. */ -}}
{{- define "murmuration.metric" -}}
{{- $metric := index .root.Values.autoscaling.metrics (include "murmuration.key" .role) | default dict -}}
{{- if $metric.oldestSeconds -}}
{{- dict "name" "murmuration_consumer_oldest_seconds" "oldestSeconds" $metric.oldestSeconds | toJson -}}
{{- else -}}
{{- $metric | toJson -}}
{{- end -}}
{{- end -}}

{{- define "murmuration.scalingBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies:
    - { type: Percent, value: 100, periodSeconds: 30 }
    - { type: Pods, value: 2, periodSeconds: 30 }
# Slowly down: every pod that ends drains its connections and consumers.
scaleDown:
  stabilizationWindowSeconds: 300
  policies:
    - { type: Pods, value: 1, periodSeconds: 60 }
{{- end -}}
