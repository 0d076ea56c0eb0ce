{{- /* Names, labels, images and the list of roles with an operator's overrides laid over it. */ -}}

{{- define "murmuration.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}{{ .Release.Name | trunc 30 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 30 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "murmuration.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "murmuration.labels" -}}
{{ include "murmuration.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .Chart.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- /* The key of a role in values.roles and the tail of its objects' names. Takes the role. */ -}}
{{- define "murmuration.key" -}}{{ .service }}-{{ .role }}{{- end -}}

{{- /* Takes a dict of root and role. */ -}}
{{- define "murmuration.roleSelector" -}}
{{ include "murmuration.selector" .root }}
app.kubernetes.io/component: {{ include "murmuration.key" .role }}
{{- end -}}

{{- /* Takes a dict of root and role. */ -}}
{{- define "murmuration.roleLabels" -}}
{{ include "murmuration.labels" .root }}
app.kubernetes.io/component: {{ include "murmuration.key" .role }}
murmuration/service: {{ .role.service }}
murmuration/role: {{ .role.role }}
{{- end -}}

{{- /* Takes a dict of root and image, which is "app" or "media". */ -}}
{{- define "murmuration.image" -}}
{{- $image := .root.Values.image -}}
{{- $media := eq .image "media" -}}
{{- $name := ternary $image.mediaRepository $image.repository $media -}}
{{- $digest := ternary $image.mediaDigest $image.digest $media -}}
{{- if $digest }}{{ $name }}@{{ $digest }}{{ else }}{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{- /* {"roles": […]}: roles.json with the overrides of values.roles; names that no role has are refused. */ -}}
{{- define "murmuration.roles" -}}
{{- $overrides := .Values.roles | default dict -}}
{{- $known := list -}}
{{- $roles := list -}}
{{- range $role := .Files.Get "roles.json" | fromJsonArray -}}
{{- $key := include "murmuration.key" $role -}}
{{- $known = append $known $key -}}
{{- $own := index $overrides $key | default dict -}}
{{- if ne (toString (index $own "enabled")) "false" -}}
{{- $roles = append $roles (mergeOverwrite (deepCopy $role) $own) -}}
{{- end -}}
{{- end -}}
{{- range $key, $own := $overrides -}}
{{- if not (has $key $known) }}{{ fail (printf "values.roles.%s: no such role; there are %s" $key (join ", " $known)) }}{{ end -}}
{{- end -}}
{{- dict "roles" $roles | toJson -}}
{{- end -}}

{{- /* JSON list of the services that own a schema. */ -}}
{{- define "murmuration.services" -}}
{{- $names := list -}}
{{- range $role := (include "murmuration.roles" . | fromJson).roles -}}
{{- if has "postgres" $role.needs }}{{ $names = append $names $role.service }}{{ end -}}
{{- end -}}
{{- uniq $names | toJson -}}
{{- end -}}
