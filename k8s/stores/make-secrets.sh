#!/bin/sh
# Prints every Secret of an instance as YAML: logins, certificates of an own authority, and the keys of the app.
#
#   sh k8s/stores/make-secrets.sh | kubectl apply -f -
#
# SECRET_KEY_BASE  keep the one you have; without it the instance gets a new one, and with it new passwords everywhere
# DATABASE         name of the database (murmuration)
# NAMESPACE        where the stores and the app live (murmuration)
# SMTP_LOGIN, SMTP_PASSWORD, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY are passed on when they are set.
set -eu
umask 077

namespace=${NAMESPACE:-murmuration}
database=${DATABASE:-murmuration}
base=${SECRET_KEY_BASE:-$(openssl rand -hex 48)}
services='accounts statuses notifications federation media admin'
everybody="gateway streaming $services"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
# The same derivation as the app's own, so that logins made by the migrations are the ones written here.
derive() { printf %s "$1" | openssl dgst -sha256 -hmac "$base" -binary | base64url; }
upper() { printf %s "$1" | tr 'a-z-' 'A-Z_'; }
sha256() { printf %s "$1" | openssl dgst -sha256 | sed 's/.* //'; }

secret() { # name, then stringData lines on standard input
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: %s\n  namespace: %s\nstringData:\n' "$1" "$namespace"
  sed 's/^/  /'
}
block() { # key, then its text on standard input
  printf '%s: |\n' "$1"
  sed 's/^/  /'
}
pair() { printf '%s: "%s"\n' "$1" "$2"; }

openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
openssl req -x509 -new -sha256 -key "$work/ca.key" -days 3650 -subj "/CN=$namespace stores" \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' -out "$work/ca.crt"

certificate() { # Secret's name, then host names
  name=$1
  shift
  names=$(for host in "$@"; do printf 'DNS:%s,DNS:%s.%s.svc,' "$host" "$host" "$namespace"; done)
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "${names%,}" >"$work/extensions"
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/tls.key"
  openssl req -new -key "$work/tls.key" -subj "/CN=$1" -out "$work/tls.csr"
  openssl x509 -req -sha256 -in "$work/tls.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -days 825 \
    -extfile "$work/extensions" -out "$work/tls.crt" 2>/dev/null
  {
    block tls.crt <"$work/tls.crt"
    block tls.key <"$work/tls.key"
    block ca.crt <"$work/ca.crt"
  } | secret "$name"
}
certificate postgres-tls postgres
certificate nats-tls nats nats-peers nats-0.nats-peers nats-1.nats-peers nats-2.nats-peers
certificate redis-state-tls redis-state
certificate redis-cache-tls redis-cache

owner=$(derive "database owner")
{
  pair superuser-password "$(derive "database superuser")"
  pair owner-password "$owner"
} | secret postgres
{
  pair username murmuration
  pair password "$owner"
} | secret postgres-owner

for user in $everybody operator; do
  printf 'NATS_%s: "%s"\n' "$(upper "$user")" "$(derive "bus:$user")"
done | block passwords.conf | secret nats

for store in state cache; do
  {
    echo 'user default off'
    for user in $everybody; do
      # Every key of a service begins with its name.
      printf 'user %s on #%s ~%s:* resetchannels +@all -@admin -@dangerous +info\n' \
        "$user" "$(sha256 "$(derive "redis-$store:$user")")" "$user"
    done
  } | block users.acl | secret "redis-$store"
done

openssl ecparam -name prime256v1 -genkey -noout -out "$work/vapid.key"
openssl ec -in "$work/vapid.key" -outform DER -out "$work/vapid.der" 2>/dev/null
openssl ec -in "$work/vapid.key" -pubout -outform DER -out "$work/vapid.pub" 2>/dev/null
{
  pair SECRET_KEY_BASE "$base"
  pair DATABASE_URL "postgres://murmuration:$owner@postgres:5432/$database?sslmode=verify-full"
  pair NATS_URL 'tls://nats-0.nats-peers:4222,tls://nats-1.nats-peers:4222,tls://nats-2.nats-peers:4222'
  for user in $everybody; do
    key=$(upper "$user")
    case " $services " in *" $user "*)
      login="${database}_$user:$(derive "database:$user")"
      pair "${key}_DATABASE_URL" "postgres://$login@postgres:5432/$database?sslmode=verify-full"
      ;;
    esac
    pair "${key}_REDIS_URL" "rediss://$user:$(derive "redis-state:$user")@redis-state:6379"
    pair "${key}_REDIS_CACHE_URL" "rediss://$user:$(derive "redis-cache:$user")@redis-cache:6379"
  done
  # A P-256 key in its shortest form: bytes 8 to 39 are the secret number, the last 65 the point.
  pair VAPID_PRIVATE_KEY "$(tail -c +8 "$work/vapid.der" | head -c 32 | base64url)"
  pair VAPID_PUBLIC_KEY "$(tail -c 65 "$work/vapid.pub" | base64url)"
  for key in SMTP_LOGIN SMTP_PASSWORD AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY; do
    eval "value=\${$key:-}"
    [ -z "$value" ] || pair "$key" "$value"
  done
  block ca.crt <"$work/ca.crt"
} | secret murmuration
