#!/bin/sh
# Prints every Secret of an instance as YAML: logins, certificates of the instance's own authority, and the keys of the app.
#
#   sh k8s/stores/make-secrets.sh | kubectl apply -f -
#
# Run it again to renew the certificates. The keys of the Secrets in the cluster are kept: SECRET_KEY_BASE, the push keys, the
# authority, the logins of mail and S3. Nothing is printed when a step fails. Variables:
#
# NAMESPACE        namespace of the stores and the app (murmuration)
# DATABASE         name of the database: the cluster's, or murmuration at first. With postgres-cluster.yaml, change it there too
# EXISTING         cluster: keep what the namespace's Secrets hold, read with kubectl (default)
#                  none: read no cluster, for first Secrets or with all keys given below
# SECRET_KEY_BASE  another base than the cluster's; all logins and passwords change with it
# SECRET_KEY_BASE_PREVIOUS   base before a change: the cluster's, if the base changes. Empty: none
# VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY   other push keys than the cluster's; all push subscriptions end with a new pair
# AUTHORITY        folder with ca.crt and ca.key of another authority than the cluster's
# SMTP_LOGIN, SMTP_PASSWORD, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY   passed on
set -eu
umask 077

namespace=${NAMESPACE:-murmuration}
existing=${EXISTING:-cluster}
services='accounts statuses notifications federation media admin'
users="gateway streaming $services"
# The rules of each service in each Redis, written from the manifests.
redis_rules=$(dirname "$0")/redis/users.rules
[ -r "$redis_rules" ] || { echo "make-secrets: $redis_rules is missing" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fail() {
  printf 'make-secrets: %s\n' "$1" >&2
  exit 1
}

# Value of a key of a Secret in the cluster; empty when there is none. A cluster that cannot be read ends the script, because
# keys that are made anew by mistake end sessions and push subscriptions.
kept() { # Secret's name, then key
  [ "$existing" = none ] || kubectl --namespace "$namespace" get secret "$1" --ignore-not-found \
    --output "go-template={{ with .data }}{{ with index . \"$2\" }}{{ . | base64decode }}{{ end }}{{ end }}"
}
# The type of a Secret cannot change once it exists.
type_of() { # Secret's name, then the type of a new one
  known=
  [ "$existing" = none ] || known=$(kubectl --namespace "$namespace" get secret "$1" --ignore-not-found \
    --output 'go-template={{ .type }}')
  printf %s "${known:-$2}"
}
case $existing in
  none) ;;
  cluster)
    kubectl --namespace "$namespace" get secret murmuration --ignore-not-found --output name >/dev/null ||
      fail "the Secrets of namespace $namespace cannot be read, and their keys must be kept; EXISTING=none makes new ones"
    ;;
  *) fail "EXISTING is cluster or none" ;;
esac

database=${DATABASE:-$(kept postgres database)}
if [ -z "$database" ]; then
  # Secrets of earlier releases name the database only in the URL.
  url=$(kept murmuration DATABASE_URL)
  database=$(printf %s "$url" | sed 's|?.*||; s|.*/||')
fi
database=${database:-murmuration}
case $database in
  *[!a-z0-9_-]*) fail 'DATABASE may contain a to z, 0 to 9, _ and - only' ;;
esac
kept_base=$(kept murmuration SECRET_KEY_BASE)
base=${SECRET_KEY_BASE:-$kept_base}
base=${base:-$(openssl rand -hex 48)}
[ ${#base} -ge 32 ] || fail 'SECRET_KEY_BASE is too short: at least 32 characters are needed'
kept_previous=$(kept murmuration SECRET_KEY_BASE_PREVIOUS)
if [ -n "${SECRET_KEY_BASE_PREVIOUS+given}" ]; then
  previous=$SECRET_KEY_BASE_PREVIOUS
  [ -z "$previous" ] || [ ${#previous} -ge 32 ] ||
    fail 'SECRET_KEY_BASE_PREVIOUS is too short: it is no SECRET_KEY_BASE that was in use before'
  [ "$previous" != "$base" ] || fail 'SECRET_KEY_BASE_PREVIOUS is SECRET_KEY_BASE itself: it must be the base before the change'
  # The base of the cluster is stored nowhere else.
  [ -z "$kept_base" ] || [ "$kept_base" = "$base" ] || [ "$previous" = "$kept_base" ] ||
    fail 'SECRET_KEY_BASE is not the one of the cluster, and secrets that are encrypted with that one would be lost: unset SECRET_KEY_BASE to keep it, or unset SECRET_KEY_BASE_PREVIOUS to change it'
elif [ -z "$kept_base" ] || [ "$kept_base" = "$base" ]; then
  previous=$kept_previous
else
  # Secrets that are still encrypted with the base before the cluster's would be lost with it.
  [ -z "$kept_previous" ] || fail 'SECRET_KEY_BASE was changed before, and what is encrypted with SECRET_KEY_BASE_PREVIOUS would be lost: run ctl secrets renew, then this script without SECRET_KEY_BASE and with an empty SECRET_KEY_BASE_PREVIOUS'
  previous=$kept_base
fi

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
# The same derivation as the app's own, so that logins made by the migrations are the ones written here.
derive() { printf %s "$1" | openssl dgst -sha256 -hmac "$base" -binary | base64url; }
upper() { printf %s "$1" | tr 'a-z-' 'A-Z_'; }
sha256() { printf %s "$1" | openssl dgst -sha256 | sed 's/.* //'; }

secret() { # name, type of a new one, then stringData lines on standard input
  type=$(type_of "$1" "${2:-Opaque}")
  printf -- '---\napiVersion: v1\nkind: Secret\ntype: %s\nmetadata:\n  name: %s\n  namespace: %s\n' \
    "$type" "$1" "$namespace"
  # The CloudNativePG operator follows changes of Secrets with this label.
  printf '  labels: { app.kubernetes.io/part-of: murmuration, cnpg.io/reload: "true" }\nstringData:\n'
  sed 's/^/  /'
}
block() { # key, then its text on standard input
  printf '%s: |\n' "$1"
  sed 's/^/  /'
}
pair() { printf '%s: "%s"\n' "$1" "$(printf %s "$2" | sed 's/[\"]/\\&/g')"; }

days=825
if [ -n "${AUTHORITY:-}" ]; then
  cp "$AUTHORITY/ca.crt" "$AUTHORITY/ca.key" "$work/"
else
  kept murmuration-ca ca.crt >"$work/ca.crt"
  kept murmuration-ca ca.key >"$work/ca.key"
fi
if [ -s "$work/ca.key" ] && openssl x509 -in "$work/ca.crt" -noout -checkend $((days * 86400)) >/dev/null; then
  openssl x509 -in "$work/ca.crt" -noout -pubkey >"$work/ca.pub"
  openssl pkey -in "$work/ca.key" -pubout | cmp -s - "$work/ca.pub" || fail 'ca.key does not belong to ca.crt'
else
  [ -z "${AUTHORITY:-}" ] || fail "the authority has no key, or ends before certificates of $days days do"
  # Stores and pods restart one after the other. Therefore all of them also trust the authority before this one. Certificates
  # of the new authority are issued at the next run.
  [ -s "$work/ca.crt" ] || kept murmuration ca.crt >"$work/ca.crt"
  mv "$work/ca.crt" "$work/before.crt"
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
  openssl req -x509 -new -sha256 -key "$work/ca.key" -days 3650 -subj "/CN=$namespace stores" \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' -out "$work/ca.crt"
  if [ -s "$work/before.crt" ]; then
    openssl x509 -in "$work/before.crt" >>"$work/ca.crt"
    touch "$work/introduced"
    echo 'make-secrets: a new authority; apply, restart pods and stores, and run this again for certificates of it' >&2
  fi
fi

certificate() { # Secret's name, then host names
  name=$1
  shift
  names=$(for host in "$@"; do printf 'DNS:%s,DNS:%s.%s.svc,' "$host" "$host" "$namespace"; done)
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "${names%,}" >"$work/extensions"
  rm -f "$work/tls.crt"
  if [ -e "$work/introduced" ]; then
    kept "$name" tls.crt >"$work/tls.crt"
    kept "$name" tls.key >"$work/tls.key"
  fi
  if [ ! -s "$work/tls.crt" ]; then
    openssl ecparam -name prime256v1 -genkey -noout -out "$work/tls.key"
    openssl req -new -key "$work/tls.key" -subj "/CN=$1" -out "$work/tls.csr"
    openssl x509 -req -sha256 -in "$work/tls.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -days "$days" \
      -extfile "$work/extensions" -out "$work/tls.crt" 2>/dev/null
  fi
  {
    block tls.crt <"$work/tls.crt"
    block tls.key <"$work/tls.key"
    block ca.crt <"$work/ca.crt"
  } | secret "$name" kubernetes.io/tls
}

exec 3>&1 >"$work/secrets.yaml"
# No pod mounts the authority's key: it signs the certificates of the next run.
{
  block ca.crt <"$work/ca.crt"
  block ca.key <"$work/ca.key"
} | secret murmuration-ca
certificate postgres-tls postgres postgres-rw postgres-ro postgres-r
certificate nats-tls nats nats-peers nats-0.nats-peers nats-1.nats-peers nats-2.nats-peers
certificate redis-state-tls redis-state
certificate redis-cache-tls redis-cache

owner=$(derive "database owner")
{
  pair superuser-password "$(derive "database superuser")"
  pair owner-password "$owner"
  pair database "$database"
} | secret postgres
{
  pair username murmuration
  pair password "$owner"
} | secret postgres-owner kubernetes.io/basic-auth

for user in $users operator; do
  printf 'NATS_%s: "%s"\n' "$(upper "$user")" "$(derive "bus:$user")"
done | block passwords.conf | secret nats

for store in state cache; do
  {
    echo 'user default off'
    while read -r of user rules; do
      if [ "$of" = "$store" ]; then
        printf 'user %s on #%s %s\n' "$user" "$(sha256 "$(derive "redis-$store:$user")")" "$rules"
      fi
    done <"$redis_rules"
  } | block users.acl | secret "redis-$store"
done

vapid_private=${VAPID_PRIVATE_KEY:-}
vapid_public=${VAPID_PUBLIC_KEY:-}
if [ -z "$vapid_private$vapid_public" ]; then
  vapid_private=$(kept murmuration VAPID_PRIVATE_KEY)
  vapid_public=$(kept murmuration VAPID_PUBLIC_KEY)
fi
if [ -z "$vapid_private$vapid_public" ]; then
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/vapid.key"
  openssl ec -in "$work/vapid.key" -outform DER -out "$work/vapid.der" 2>/dev/null
  openssl ec -in "$work/vapid.key" -pubout -outform DER -out "$work/vapid.pub" 2>/dev/null
  # A P-256 key in its shortest form: bytes 8 to 39 are the secret number, the last 65 the point.
  vapid_private=$(tail -c +8 "$work/vapid.der" | head -c 32 | base64url)
  vapid_public=$(tail -c 65 "$work/vapid.pub" | base64url)
fi
[ -n "$vapid_private" ] && [ -n "$vapid_public" ] ||
  fail 'VAPID_PRIVATE_KEY and VAPID_PUBLIC_KEY belong together: one is missing'
{
  pair SECRET_KEY_BASE "$base"
  # Also when empty, because `kubectl apply` does not remove a key that is missing in stringData.
  pair SECRET_KEY_BASE_PREVIOUS "$previous"
  pair DATABASE_URL "postgres://murmuration:$owner@postgres:5432/$database?sslmode=verify-full"
  pair NATS_URL 'tls://nats-0.nats-peers:4222,tls://nats-1.nats-peers:4222,tls://nats-2.nats-peers:4222'
  for user in $users; do
    key=$(upper "$user")
    case " $services " in *" $user "*)
      # The migrations replace the same characters in the names of their logins.
      login="$(printf %s "$database" | tr - _)_$user:$(derive "database:$user")"
      pair "${key}_DATABASE_URL" "postgres://$login@postgres:5432/$database?sslmode=verify-full"
      ;;
    esac
    if grep -q "^state $user " "$redis_rules"; then
      pair "${key}_REDIS_URL" "rediss://$user:$(derive "redis-state:$user")@redis-state:6379"
    fi
    if grep -q "^cache $user " "$redis_rules"; then
      pair "${key}_REDIS_CACHE_URL" "rediss://$user:$(derive "redis-cache:$user")@redis-cache:6379"
    fi
  done
  pair VAPID_PRIVATE_KEY "$vapid_private"
  pair VAPID_PUBLIC_KEY "$vapid_public"
  for key in SMTP_LOGIN SMTP_PASSWORD AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY; do
    eval "value=\${$key:-}"
    value=${value:-$(kept murmuration "$key")}
    [ -z "$value" ] || pair "$key" "$value"
  done
  block ca.crt <"$work/ca.crt"
} | secret murmuration
cat "$work/secrets.yaml" >&3
