{{- /* Which values a role reads, so that a changed value restarts only the pods that read it. */ -}}

{{- /* {"own": […], "known": […]}: variables that a role reads, and all that any role reads. Takes the root and a role. */ -}}
{{- define "murmuration.reads" -}}
{{- $reads := .root.Files.Get "reads.json" | fromJson -}}
{{- $own := concat $reads.always (index $reads.services .role.service) -}}
{{- $known := $reads.always -}}
{{- range $need, $names := $reads.byNeed -}}
{{- $known = concat $known $names -}}
{{- if has $need $.role.needs }}{{ $own = concat $own $names }}{{ end -}}
{{- end -}}
{{- range $names := $reads.services }}{{ $known = concat $known $names }}{{ end -}}
{{- dict "own" $own "known" (uniq $known) | toJson -}}
{{- end -}}

{{- /* Checksum of the variables that a role reads; one that no service knows may be read by all. Takes the root and a role. */ -}}
{{- define "murmuration.configChecksum" -}}
{{- $reads := include "murmuration.reads" . | fromJson -}}
{{- $lines := list -}}
{{- range $line := include "murmuration.config" .root | trim | splitList "\n" -}}
{{- $name := splitList ":" $line | first -}}
{{- if or (has $name $reads.own) (not (has $name $reads.known)) }}{{ $lines = append $lines $line }}{{ end -}}
{{- end -}}
{{- join "\n" $lines | sha256sum | trunc 16 -}}
{{- end -}}

{{- /* JSON list of the keys of the Secret that a role's pods get. Takes the root and a role. */ -}}
{{- define "murmuration.secretKeys" -}}
{{- $keys := list -}}
{{- range regexFindAll "key: [^,]+," (include "murmuration.secretVolume" .) -1 -}}
{{- $keys = append $keys (trimPrefix "key: " . | trimSuffix ",") -}}
{{- end -}}
{{- $keys | toJson -}}
{{- end -}}

{{- /* The revisions of the secrets that a role's pods get, as text; empty without any. Takes the root and a role. */ -}}
{{- define "murmuration.secretRevision" -}}
{{- $secrets := .root.Values.secrets -}}
{{- $keys := include "murmuration.secretKeys" . | fromJsonArray -}}
{{- $revisions := list -}}
{{- with $secrets.revision }}{{ $revisions = append $revisions (toString .) }}{{ end -}}
{{- range $key, $revision := $secrets.revisions -}}
{{- if has $key $keys }}{{ $revisions = append $revisions (printf "%s=%v" $key $revision) }}{{ end -}}
{{- end -}}
{{- join " " $revisions -}}
{{- end -}}
