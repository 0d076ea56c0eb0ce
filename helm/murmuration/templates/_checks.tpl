{{- /* Refuses values that contradict each other, with one sentence that names both. Included once, by config.yaml. */ -}}

{{- /* "250m" → 250, "2" → 2000. */ -}}
{{- define "murmuration.milli" -}}
{{- $cpu := toString . -}}
{{- ternary (trimSuffix "m" $cpu | int) (mul 1000 (int $cpu)) (hasSuffix "m" $cpu) -}}
{{- end -}}

{{- /* Port of an address such as https://s3.example:9000. */ -}}
{{- define "murmuration.port" -}}
{{- $url := urlParse . -}}
{{- regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end -}}

{{- /* Takes a dict of root, need, port and setting: a port that the network policy of the need leaves closed is refused. */ -}}
{{- define "murmuration.checkPort" -}}
{{- $network := .root.Values.network -}}
{{- $open := list -}}
{{- range (index $network .need).ports }}{{ $open = append $open (int .) }}{{ end -}}
{{- if and $network.enabled (not (has (int .port) $open)) -}}
{{- fail (printf "%s needs port %d, but network.%s.ports opens only %s: add it there" .setting (int .port) .need (join ", " $open)) -}}
{{- end -}}
{{- end -}}

{{- /* Refuses ports of addresses of other servers that the network policy leaves closed. Takes a dict of root, values and setting, which is the prefix of names. */ -}}
{{- define "murmuration.checkAddresses" -}}
{{- $it := . -}}
{{- range $name, $address := .values -}}
{{- if and $address (has $name (list "OIDC_ISSUER" "OIDC_2_ISSUER" "OIDC_3_ISSUER" "LIBRE_TRANSLATE_ENDPOINT")) -}}
{{- include "murmuration.checkPort" (dict "root" $it.root "need" "internet" "port" (toString $address | include "murmuration.port") "setting" (printf "%s.%s" $it.setting $name)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Refuses a delay that leaves no time to stop, like the process itself. Takes a dict of root, role and key. */ -}}
{{- define "murmuration.checkDelay" -}}
{{- $values := mergeOverwrite (dict "STOP_DELAY_SECONDS" 5) (deepCopy (.root.Values.extraConfig | default dict)) (.role.env | default dict) -}}
{{- $delay := int $values.STOP_DELAY_SECONDS -}}
{{- if gt (add $delay 5) (int .role.grace) -}}
{{- fail (printf "STOP_DELAY_SECONDS is %d and values.roles.%s.grace is %d: at least 5 seconds must be left after the delay" $delay .key (int .role.grace)) -}}
{{- end -}}
{{- end -}}

{{- define "murmuration.checkRoles" -}}
{{- $root := . -}}
{{- $surfaces := list -}}
{{- $names := list -}}
{{- range $role := (include "murmuration.roles" . | fromJson).roles -}}
{{- $key := include "murmuration.key" $role -}}
{{- $names = append $names $key -}}
{{- with $role.http }}{{ $surfaces = append $surfaces .surface }}{{ end -}}
{{- if gt (int $role.minReplicas) (int $role.maxReplicas) -}}
{{- fail (printf "values.roles.%s: minReplicas %d is more than maxReplicas %d" $key (int $role.minReplicas) (int $role.maxReplicas)) -}}
{{- end -}}
{{- with $role.cpuLimit -}}
{{- if lt (include "murmuration.milli" . | int) (include "murmuration.milli" $role.cpu | int) -}}
{{- fail (printf "values.roles.%s: cpuLimit %v is less than cpu %v" $key . $role.cpu) -}}
{{- end -}}
{{- end -}}
{{- with $role.memoryLimit -}}
{{- if lt (include "murmuration.mebi" . | int) (include "murmuration.mebi" $role.memory | int) -}}
{{- fail (printf "values.roles.%s: memoryLimit %s is less than memory %s" $key . $role.memory) -}}
{{- end -}}
{{- end -}}
{{- include "murmuration.checkDelay" (dict "root" $root "role" $role "key" $key) -}}
{{- include "murmuration.checkAddresses" (dict "root" $root "values" $role.env "setting" (printf "values.roles.%s.env" $key)) -}}
{{- range $name, $_ := $role.env -}}
{{- if has $name (include "murmuration.ownVariables" $root | fromJsonArray) -}}
{{- fail (printf "values.roles.%s.env.%s: the chart sets this variable itself" $key $name) -}}
{{- end -}}
{{- if hasPrefix "S3_" $name -}}
{{- fail (printf "values.roles.%s.env.%s: all roles share one place for media, set config.%s" $key $name $name) -}}
{{- end -}}
{{- if and (has $name (include "murmuration.chartReads" $root | fromJsonArray)) (ne $name "DB_POOL") -}}
{{- fail (printf "values.roles.%s.env.%s: other objects of the chart depend on it, set config.%s" $key $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if ne .Values.ingress.kind "none" -}}
{{- range list "client" "federation" "streaming" -}}
{{- if not (has . $surfaces) }}{{ fail (printf "ingress.kind is %s, but no enabled role serves the surface %q: set ingress.kind to none" $root.Values.ingress.kind .) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- include "murmuration.checkScaling" . -}}
{{- if .Values.secrets.revisions }}{{ include "murmuration.checkRevisions" . }}{{ end -}}
{{- end -}}

{{- define "murmuration.checkRevisions" -}}
{{- $root := . -}}
{{- $known := list -}}
{{- range $role := (include "murmuration.roles" . | fromJson).roles -}}
{{- $known = concat $known (include "murmuration.secretKeys" (dict "root" $root "role" $role) | fromJsonArray) -}}
{{- end -}}
{{- range $key, $_ := .Values.secrets.revisions -}}
{{- if not (has $key $known) }}{{ fail (printf "values.secrets.revisions.%s: no pod gets this key; there are %s" $key (uniq $known | sortAlpha | join ", ")) }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "murmuration.checkScaling" -}}
{{- $scaling := .Values.autoscaling -}}
{{- $consuming := dict -}}
{{- range .Files.Get "roles.json" | fromJsonArray }}{{ $_ := set $consuming (include "murmuration.key" .) .consumes }}{{ end -}}
{{- range $key, $metric := $scaling.metrics -}}
{{- if not (hasKey $consuming $key) }}{{ fail (printf "values.autoscaling.metrics.%s: no such role" $key) }}{{ end -}}
{{- if $metric -}}
{{- if and $metric.oldestSeconds (or $metric.name $metric.average) -}}
{{- fail (printf "values.autoscaling.metrics.%s: set oldestSeconds, or name and average" $key) -}}
{{- end -}}
{{- if and $metric.oldestSeconds (not (index $consuming $key)) -}}
{{- fail (printf "values.autoscaling.metrics.%s.oldestSeconds: the role has no consumer" $key) -}}
{{- end -}}
{{- if not (or $metric.oldestSeconds (and $metric.name $metric.average)) -}}
{{- fail (printf "values.autoscaling.metrics.%s: set oldestSeconds, or name and average; null for CPU alone" $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $scaling.enabled (eq $scaling.kind "keda") -}}
{{- if $scaling.custom }}{{ fail "autoscaling.custom is for kind hpa: KEDA always scales by the metrics" }}{{ end -}}
{{- $_ := required "autoscaling.prometheusAddress: KEDA asks Prometheus, so name its address" $scaling.prometheusAddress -}}
{{- end -}}
{{- end -}}

{{- /* JSON list of the variables that the chart sets for each pod; a value of the same name would be ignored. */ -}}
{{- define "murmuration.ownVariables" -}}
["MODE", "SECRETS_DIR", "OTEL_SERVICE_NAME", "NODE_EXTRA_CA_CERTS", "HEALTH_HOST", "HEALTH_PORT", "PORT", "BLOB_DIR", "STOP_GRACE_SECONDS", "DATABASE_WAIT", "DATABASE_CONNECTIONS"]
{{- end -}}

{{- /* JSON list of the variables that other objects than the pods depend on: routes, network policies and the migrations. */ -}}
{{- define "murmuration.chartReads" -}}
["LOCAL_DOMAIN", "WEB_DOMAIN", "STREAMING_API_BASE_URL", "DB_POOL", "DATABASE_ROLES", "PREPARED_STATEMENTS", "SMTP_PORT", "OTEL_EXPORTER_OTLP_ENDPOINT"]
{{- end -}}

{{- /* Labels and annotations of pods that the chart sets itself: selectors and restarts depend on them. */ -}}
{{- define "murmuration.checkLabels" -}}
{{- range $setting := list "podLabels" "podAnnotations" -}}
{{- range $name, $_ := index $.Values $setting -}}
{{- $own := or (hasPrefix "murmuration/" $name) (hasKey (include "murmuration.labels" $ | fromYaml) $name) (eq $name "app.kubernetes.io/component") -}}
{{- if $own }}{{ fail (printf "values.%s.%s: the chart sets this itself" $setting $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "murmuration.checks" -}}
{{- $config := .Values.config -}}
{{- $s3 := eq (toString $config.S3_ENABLED) "true" -}}
{{- $_ := required "config.LOCAL_DOMAIN: the domain in people's addresses must be set" $config.LOCAL_DOMAIN -}}
{{- $_ := required "secrets.existingSecret: name a Secret that holds the keys listed in values.yaml" .Values.secrets.existingSecret -}}
{{- $_ := required "media needs a place: set config.S3_ENABLED with S3_BUCKET, or blob.existingClaim" (ternary "s3" .Values.blob.existingClaim $s3) -}}
{{- $_ := required "config.S3_BUCKET: S3_ENABLED is true, so name the bucket" (ternary $config.S3_BUCKET "unused" $s3) -}}
{{- if and $s3 .Values.blob.existingClaim -}}
{{- fail "config.S3_ENABLED is true and blob.existingClaim names a volume: media has one place, choose one" -}}
{{- end -}}
{{- range $name, $_ := .Values.extraConfig -}}
{{- if has $name (include "murmuration.ownVariables" $ | fromJsonArray) -}}
{{- fail (printf "values.extraConfig.%s: the chart sets this variable itself" $name) -}}
{{- end -}}
{{- if eq $name "EXTRA_CA_FILE" -}}
{{- fail "values.extraConfig.EXTRA_CA_FILE: the pods and the migrations have no such file; put the authorities into the Secret, and name their key in secrets.authorityKey" -}}
{{- end -}}
{{- if not (kindIs "invalid" (index $config $name)) -}}
{{- fail (printf "values.extraConfig.%s: config.%s is set as well, choose one" $name $name) -}}
{{- end -}}
{{- if or (hasPrefix "S3_" $name) (has $name (include "murmuration.chartReads" $ | fromJsonArray)) -}}
{{- fail (printf "values.extraConfig.%s: set config.%s instead" $name $name) -}}
{{- end -}}
{{- end -}}
{{- with $config.SMTP_PORT }}{{ include "murmuration.checkPort" (dict "root" $ "need" "smtp" "port" . "setting" "config.SMTP_PORT") }}{{ end -}}
{{- if $s3 -}}
{{- with $config.S3_ENDPOINT }}{{ include "murmuration.checkPort" (dict "root" $ "need" "blob" "port" (include "murmuration.port" .) "setting" "config.S3_ENDPOINT") }}{{ end -}}
{{- end -}}
{{- with $config.OTEL_EXPORTER_OTLP_ENDPOINT }}{{ include "murmuration.checkPort" (dict "root" $ "need" "otlp" "port" (include "murmuration.port" .) "setting" "config.OTEL_EXPORTER_OTLP_ENDPOINT") }}{{ end -}}
{{- include "murmuration.checkAddresses" (dict "root" . "values" .Values.extraConfig "setting" "values.extraConfig") -}}
{{- include "murmuration.checkLabels" . -}}
{{- include "murmuration.checkRoles" . -}}
{{- end -}}
