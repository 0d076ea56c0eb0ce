/** make-secrets.sh on a cluster with existing Secrets: it renews certificates and keeps everything else. */
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeObject, objectsOf } from '../../helm/render.js'
import { type AnySpec, root } from './rendered.js'

const exec = promisify(execFile)
const script = fileURLToPath(new URL('k8s/stores/make-secrets.sh', root))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-renewal-'))
  await mkdir(join(folder, 'bin'))
  // A fake kubectl for the commands of the script. Its cluster is a folder with the files SECRET/type and SECRET/KEY.
  await writeFile(
    join(folder, 'bin/kubectl'),
    `#!/bin/sh
[ -d "$CLUSTER" ] || { echo "The connection to the server was refused" >&2; exit 1; }
[ "$1 $2 $3 $4 $6 $7" = "--namespace murmuration get secret --ignore-not-found --output" ] || { echo "asked: $*" >&2; exit 2; }
case $8 in
  name) ;;
  *'{{ .type }}') cat "$CLUSTER/$5/type" 2>/dev/null || true ;;
  *) key=\${8#*index . \\"}; cat "$CLUSTER/$5/\${key%%\\"*}" 2>/dev/null || true ;;
esac
`,
  )
  await chmod(join(folder, 'bin/kubectl'), 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Secret extends KubeObject {
  type: string
  stringData: Record<string, string>
}
type Secrets = Record<string, Secret>

const make = async (env: Record<string, string>): Promise<Secrets> => {
  const path = `${join(folder, 'bin')}:${process.env.PATH}`
  const { stdout } = await exec('sh', [script], { env: { PATH: path, ...env } })
  return Object.fromEntries(objectsOf(stdout).map((object) => [object.metadata.name, object as Secret]))
}
/** Stores Secrets in the folder of a fake cluster. Returns the folder. */
const apply = async (name: string, secrets: Secrets): Promise<string> => {
  const cluster = join(folder, name)
  for (const [secret, { type, stringData }] of Object.entries(secrets)) {
    await mkdir(join(cluster, secret), { recursive: true })
    await writeFile(join(cluster, secret, 'type'), type)
    for (const [key, value] of Object.entries(stringData)) await writeFile(join(cluster, secret, key), value)
  }
  return cluster
}
const serialOf = (pem: string) => new X509Certificate(pem).serialNumber
/** The certificates of a bundle, in order. */
const bundle = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((one) => new X509Certificate(one))

test('a renewal creates new certificates of the same authority, and keeps push keys, logins and other keys', async () => {
  const first = await make({ EXISTING: 'none', SMTP_LOGIN: 'mail', SMTP_PASSWORD: 'a "quoted\\\\ password' })
  const CLUSTER = await apply('renewal', first)
  const second = await make({ CLUSTER })
  expect(Object.keys(second)).toEqual(Object.keys(first))
  for (const [name, { type, stringData }] of Object.entries(first)) {
    expect([name, second[name]!.type]).toEqual([name, type])
    const changed = Object.keys({ ...stringData, ...second[name]!.stringData }).filter(
      (key) => stringData[key]?.trim() !== second[name]!.stringData[key]?.trim(),
    )
    expect([name, changed]).toEqual([name, name.endsWith('-tls') ? ['tls.crt', 'tls.key'] : []])
  }
  const authority = new X509Certificate(first['murmuration-ca']!.stringData['ca.crt']!)
  for (const name of ['postgres-tls', 'nats-tls', 'redis-state-tls', 'redis-cache-tls']) {
    const pem = second[name]!.stringData['tls.crt']!
    expect(new X509Certificate(pem).verify(authority.publicKey)).toBe(true)
    expect(serialOf(pem)).not.toBe(serialOf(first[name]!.stringData['tls.crt']!))
  }
})

test('an authority without its key is replaced in two runs, so that restarted pods and stores always trust each other', async () => {
  const first = await make({ EXISTING: 'none' })
  const { 'murmuration-ca': old, ...rest } = first
  const second = await make({ CLUSTER: await apply('older', rest) })
  for (const name of ['murmuration', 'nats-tls', 'murmuration-ca']) {
    const [current, before, ...more] = bundle(second[name]!.stringData['ca.crt']!)
    expect(before!.raw).toEqual(new X509Certificate(old!.stringData['ca.crt']!).raw)
    expect(current!.raw).not.toEqual(before!.raw)
    expect(more).toEqual([])
  }
  // The first run adds the new authority to the bundle. The certificates are still those of the old one.
  const certificate = (secrets: Secrets) => secrets['nats-tls']!.stringData['tls.crt']!.trim()
  expect(certificate(second)).toBe(certificate(first))
  expect(second.murmuration!.stringData.VAPID_PRIVATE_KEY).toBe(first.murmuration!.stringData.VAPID_PRIVATE_KEY)
  // The next run issues certificates of the new authority. The bundle does not change.
  const third = await make({ CLUSTER: await apply('older', second) })
  expect(bundle(third.murmuration!.stringData['ca.crt']!).map((one) => one.serialNumber)).toEqual(
    bundle(second.murmuration!.stringData['ca.crt']!).map((one) => one.serialNumber),
  )
  const [current] = bundle(third['murmuration-ca']!.stringData['ca.crt']!)
  expect(new X509Certificate(certificate(third)).verify(current!.publicKey)).toBe(true)
})

test('the script ends without output if the cluster cannot be read', async () => {
  const failed = await make({ CLUSTER: join(folder, 'nowhere') }).then(
    () => null,
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  expect([failed?.code, failed?.stdout]).toEqual([1, ''])
  expect(failed?.stderr).toContain('the Secrets of namespace murmuration cannot be read')
})

test('a new SECRET_KEY_BASE changes the logins, and keeps the push keys and the authority', async () => {
  const first = await make({ EXISTING: 'none' })
  const SECRET_KEY_BASE = 'another base of more than thirty-two characters'
  const second = await make({ CLUSTER: await apply('base', first), SECRET_KEY_BASE })
  expect(second.murmuration!.stringData).toMatchObject({
    SECRET_KEY_BASE,
    VAPID_PUBLIC_KEY: first.murmuration!.stringData.VAPID_PUBLIC_KEY,
  })
  expect(second.murmuration!.stringData.ACCOUNTS_DATABASE_URL).not.toBe(
    first.murmuration!.stringData.ACCOUNTS_DATABASE_URL,
  )
  expect(second['murmuration-ca']!.stringData['ca.crt']!.trim()).toBe(
    first['murmuration-ca']!.stringData['ca.crt']!.trim(),
  )
})

test('a new SECRET_KEY_BASE keeps the one before, until the operator clears it', async () => {
  const first = await make({ EXISTING: 'none' })
  const old = first.murmuration!.stringData.SECRET_KEY_BASE!
  expect(first.murmuration!.stringData.SECRET_KEY_BASE_PREVIOUS).toBe('')
  const SECRET_KEY_BASE = 'another base of more than thirty-two characters'
  const second = await make({ CLUSTER: await apply('previous', first), SECRET_KEY_BASE })
  expect(second.murmuration!.stringData).toMatchObject({ SECRET_KEY_BASE, SECRET_KEY_BASE_PREVIOUS: old })
  const CLUSTER = await apply('previous', second)
  // Neither a renewal of the certificates nor the same base again loses it.
  for (const again of await Promise.all([make({ CLUSTER }), make({ CLUSTER, SECRET_KEY_BASE })]))
    expect(again.murmuration!.stringData).toMatchObject({ SECRET_KEY_BASE, SECRET_KEY_BASE_PREVIOUS: old })
  // A third base would make secrets of the first one unreadable.
  const third = make({ CLUSTER, SECRET_KEY_BASE: `${SECRET_KEY_BASE}, and a third` })
  await expect(third).rejects.toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('run ctl secrets renew'),
  })
  // The base of the cluster is stored nowhere else, so no other base replaces it without keeping it.
  const isLost = expect.stringContaining('SECRET_KEY_BASE is not the one of the cluster')
  for (const [more, stderr] of [
    [{ SECRET_KEY_BASE: old, SECRET_KEY_BASE_PREVIOUS: '' }, isLost],
    [{ SECRET_KEY_BASE: old, SECRET_KEY_BASE_PREVIOUS: `${old} and more` }, isLost],
    [{ SECRET_KEY_BASE_PREVIOUS: SECRET_KEY_BASE }, expect.stringContaining('is SECRET_KEY_BASE itself')],
    [{ SECRET_KEY_BASE_PREVIOUS: 'short' }, expect.stringContaining('is too short')],
  ] as const)
    await expect(make({ CLUSTER, ...more })).rejects.toMatchObject({ stdout: '', stderr })
  const back = await make({ CLUSTER, SECRET_KEY_BASE: old, SECRET_KEY_BASE_PREVIOUS: SECRET_KEY_BASE })
  expect(back.murmuration!.stringData).toMatchObject({
    SECRET_KEY_BASE: old,
    SECRET_KEY_BASE_PREVIOUS: SECRET_KEY_BASE,
  })
  const cleared = await make({ CLUSTER, SECRET_KEY_BASE_PREVIOUS: '' })
  expect(cleared.murmuration!.stringData).toMatchObject({ SECRET_KEY_BASE, SECRET_KEY_BASE_PREVIOUS: '' })
})

test('the type of an existing Secret is kept, because Kubernetes refuses to change it', async () => {
  const first = await make({ EXISTING: 'none' })
  for (const one of Object.values(first)) one.type = 'Opaque'
  const second = await make({ CLUSTER: await apply('types', first) })
  expect(new Set(Object.values(second).map((one) => one.type))).toEqual(new Set(['Opaque']))
})

test('every Secret of a store exists, with the required keys and type', async () => {
  const secrets = await make({ EXISTING: 'none' })
  const { spec } = objectsOf(await readFile(new URL('k8s/stores/postgres-cluster.yaml', root), 'utf8'))[0] as AnySpec
  // CloudNativePG requires basic-auth Secrets for logins, kubernetes.io/tls for the server, and ca.crt of its authority.
  for (const name of [spec.bootstrap.initdb.secret.name, spec.managed.roles[0].passwordSecret.name]) {
    expect(secrets[name]?.type).toBe('kubernetes.io/basic-auth')
    expect(secrets[name]?.stringData).toMatchObject({ username: 'murmuration', password: expect.any(String) })
  }
  const { serverTLSSecret, serverCASecret } = spec.certificates
  expect(secrets[serverTLSSecret]?.type).toBe('kubernetes.io/tls')
  const authority = new X509Certificate(secrets[serverCASecret]!.stringData['ca.crt']!)
  const server = new X509Certificate(secrets[serverTLSSecret]!.stringData['tls.crt']!)
  expect(server.verify(authority.publicKey)).toBe(true)
  for (const host of ['postgres', 'postgres-rw.murmuration.svc']) expect(server.checkHost(host)).toBe(host)
  for (const file of ['postgres', 'nats', 'redis-state', 'redis-cache']) {
    const text = await readFile(new URL(`k8s/stores/${file}.yaml`, root), 'utf8')
    const named = [...text.matchAll(/secretName: ([\w-]+)|secret: \{ name: ([\w-]+) \}/g)].map((m) => m[1] ?? m[2]!)
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter((name) => !secrets[name])).toEqual([])
  }
})
