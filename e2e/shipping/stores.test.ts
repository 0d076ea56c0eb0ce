/** Stores: real servers accept the shipped configuration, and the Secrets match the chart and the kernel. */
import { execFile, spawn } from 'node:child_process'
import { createECDH, X509Certificate } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databaseRoleOf, derive } from '@murmuration/kernel'
import { freePort, natsBinary } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsOf } from '../../helm/render.js'
import { type AnySpec, keyOf, lookUp, mark, OVERLAYS, type PodSpec, roles, root } from './rendered.js'
import { defaultStreamBytes, spaceOf, streamNames } from './stream-space.js'

const exec = promisify(execFile)
const at = (path: string): string => fileURLToPath(new URL(path, root))
const text = (path: string): Promise<string> => readFile(at(path), 'utf8')
const secretKeyBase = 'a base of more than thirty-two characters'

let folder: string
let secrets: Record<string, Record<string, string>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-stores-'))
  const { stdout } = await exec('sh', [at('k8s/stores/make-secrets.sh')], {
    env: { PATH: process.env.PATH, EXISTING: 'none', SECRET_KEY_BASE: secretKeyBase, SMTP_LOGIN: 'mail' },
  })
  secrets = Object.fromEntries(
    objectsOf(stdout).map((object) => [object.metadata.name, object.stringData as Record<string, string>]),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test(`${mark}D084 make-secrets.sh writes every required key of pods`, async () => {
  for (const name of OVERLAYS) {
    const { of } = await lookUp(name)
    for (const object of [...of('Deployment'), ...of('Job')]) {
      const pod = (object.spec as AnySpec).template.spec as PodSpec
      const needed = pod.volumes
        .flatMap((volume) => volume.projected?.sources ?? [])
        .filter((source) => !source.secret.optional)
        .flatMap((source) => source.secret.items.map((item) => item.key))
      expect(Object.keys(secrets.murmuration!)).toEqual(expect.arrayContaining(needed))
    }
  }
  expect(secrets.murmuration).toMatchObject({ SMTP_LOGIN: 'mail', SECRET_KEY_BASE: secretKeyBase })
})

test('the logins equal those that the kernel derives', () => {
  const derived = (purpose: string) => derive({ secretKeyBase }, purpose)
  for (const service of new Set(roles.filter((role) => role.needs.includes('postgres')).map((role) => role.service))) {
    const url = new URL(secrets.murmuration![`${service.toUpperCase()}_DATABASE_URL`]!)
    expect([url.username, url.password]).toEqual([`murmuration_${service}`, derived(`database:${service}`)])
    expect(url.searchParams.get('sslmode')).toBe('verify-full')
  }
  for (const user of [...new Set(roles.map((role) => role.service)), 'operator'])
    expect(secrets.nats!['passwords.conf']).toContain(`NATS_${user.toUpperCase()}: "${derived(`bus:${user}`)}"`)
})

test('a database with another name is created by owner.sh, and a renewal keeps the name', async () => {
  const bin = join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  // The script prints its arguments and the SQL.
  await writeFile(join(bin, 'psql'), '#!/bin/sh\nprintf "%s\\n" "$@"\ncat\n')
  const keep = (secret: string, key: string, value: string) =>
    writeFile(
      join(bin, 'kubectl'),
      `#!/bin/sh\ncase "$*" in *'secret ${secret} '*${key}*) printf %s '${value}' ;; esac\n`,
    )
  await keep('postgres', 'database', 'other')
  await Promise.all(['psql', 'kubectl'].map((name) => chmod(join(bin, name), 0o755)))
  const PATH = `${bin}:${process.env.PATH}`
  const made = async (env: Record<string, string>) => {
    const { stdout } = await exec('sh', [at('k8s/stores/make-secrets.sh')], { env: { PATH, ...env } })
    return Object.fromEntries(
      objectsOf(stdout).map((object) => [object.metadata.name, object.stringData as Record<string, string>]),
    )
  }
  for (const env of [{ EXISTING: 'none', DATABASE: 'other' }, { EXISTING: 'cluster' }] as Record<string, string>[]) {
    const { postgres, murmuration } = await made(env)
    expect(postgres?.database).toBe('other')
    expect(new URL(murmuration!.DATABASE_URL!).pathname).toBe('/other')
    expect(new URL(murmuration!.STATUSES_DATABASE_URL!).username).toBe('other_statuses')
  }
  // Secrets that an earlier release made name the database only in the URL.
  await keep('murmuration', 'DATABASE_URL', 'postgres://murmuration:a-b@postgres:5432/my-data?sslrootcert=/ca/root.crt')
  const { postgres: kept, murmuration: urls } = await made({ EXISTING: 'cluster' })
  expect(kept?.database).toBe('my-data')
  const url = new URL(urls!.STATUSES_DATABASE_URL!)
  expect([url.pathname, url.username]).toEqual([
    '/my-data',
    databaseRoleOf({ secretKeyBase, databaseUrl: urls!.DATABASE_URL! }, 'statuses').name,
  ])
  await expect(made({ EXISTING: 'none', DATABASE: 'My-Data' })).rejects.toThrow('DATABASE may contain')
  await writeFile(join(folder, 'owner-password'), 'hush')
  const { postgres } = await made({ EXISTING: 'none', DATABASE: 'other' })
  await writeFile(join(folder, 'database'), postgres!.database!)
  const { stdout } = await exec('sh', [at('k8s/stores/postgres/owner.sh')], { env: { PATH, SECRETS: folder } })
  expect(stdout).toContain('\n--set=database=other\n')
  expect(stdout).not.toMatch(/(database|datname =|connect) '?murmuration/)
})

test('the keys of the push key pair belong together', () => {
  const key = createECDH('prime256v1')
  key.setPrivateKey(Buffer.from(secrets.murmuration!.VAPID_PRIVATE_KEY!, 'base64url'))
  expect(key.getPublicKey('base64url')).toBe(secrets.murmuration!.VAPID_PUBLIC_KEY)
})

test('every store has a certificate of the authority that the pods trust', () => {
  const authority = new X509Certificate(secrets.murmuration!['ca.crt']!)
  expect(authority.ca).toBe(true)
  const names = {
    'postgres-tls': 'postgres',
    'nats-tls': 'nats-2.nats-peers',
    'redis-state-tls': 'redis-state',
    'redis-cache-tls': 'redis-cache',
  }
  for (const [secret, host] of Object.entries(names)) {
    const certificate = new X509Certificate(secrets[secret]!['tls.crt']!)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(certificate.checkHost(host)).toBe(host)
  }
})

test('no shipped PostgreSQL configuration logs the values of a refused row', async () => {
  for (const path of ['k8s/stores/postgres.yaml', 'k8s/stores/postgres-cluster.yaml', 'compose.yaml'])
    expect([path, await text(path)]).toEqual([path, expect.stringMatching(/log_error_verbosity(=|: )terse/)])
})

test('D081 every service has its own Redis login with its own keys, read-only keys, and listed commands', () => {
  for (const [store, need] of [
    ['redis-state', 'redis'],
    ['redis-cache', 'redis-cache'],
  ] as const) {
    const lines = secrets[store]!['users.acl']!.trim().split('\n')
    expect(lines[0]).toBe('user default off')
    expect(
      lines
        .slice(1)
        .map((line) => line.split(' ')[1])
        .sort(),
    ).toEqual([...new Set(roles.filter((role) => role.needs.includes(need)).map((role) => role.service))].sort())
    for (const line of lines.slice(1))
      expect(line).toMatch(/^user (\w+) on #[0-9a-f]{64} ~\1:\*( %R~\w+:\w+)* resetchannels -@all( \+[a-z|]+)+$/)
    expect(lines.join('\n')).not.toMatch(/\+(keys|scan|flush\w+|config|acl|monitor|debug|script|info)\b/)
  }
})

/** Writes the shipped configuration with folders and ports of this machine. Returns its path. */
const writeConfiguration = async (ports: { client: number; monitor: number; cluster: number }): Promise<string> => {
  const conf = await text('k8s/stores/nats/nats.conf')
  for (const [name, content] of Object.entries(secrets['nats-tls']!)) await writeFile(join(folder, name), content)
  await writeFile(join(folder, 'passwords.conf'), secrets.nats!['passwords.conf']!)
  await writeFile(join(folder, 'users.conf'), await text('k8s/stores/nats/users.conf'))
  const file = join(folder, 'nats.conf')
  await writeFile(
    file,
    conf
      .replaceAll('/run/secrets/tls/', `${folder}/`)
      .replace('"/data"', `"${folder}/data"`)
      .replace('"0.0.0.0:4222"', `"127.0.0.1:${ports.client}"`)
      .replace('"0.0.0.0:8222"', `"127.0.0.1:${ports.monitor}"`)
      .replace('"0.0.0.0:6222"', `"127.0.0.1:${ports.cluster}"`),
  )
  return file
}

test('D076 D077 a real NATS server accepts the configuration', async () => {
  const conf = await text('k8s/stores/nats/nats.conf')
  expect(conf).toMatch(/^max_payload: 1MB$/m)
  for (const limit of ['max_connections', 'max_subscriptions', 'write_deadline'])
    expect(conf).toMatch(new RegExp(`^${limit}:`, 'm'))
  expect(conf).toMatch(/sync_interval: always/)
  const file = await writeConfiguration({ client: 4222, monitor: 8222, cluster: 6222 })
  const { stderr } = await exec(natsBinary(), ['-t', '-c', file], { env: { POD_NAME: 'nats-0' } })
  expect(stderr).toContain('is valid')
})

/** TCP ports on which a process listens, from /proc. */
const portsOf = async (pid: number): Promise<number[]> => {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  )
  const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const books = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((one) => readFile(`/proc/${pid}/net/${one}`, 'utf8')),
  )
  const LISTENS = ['0A', '07']
  return books
    .flatMap((book) => book.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => LISTENS.includes(row[3] ?? '') && sockets.has(row[9] ?? ''))
    .map((row) => Number.parseInt(row[1]?.split(':')[1] ?? '', 16))
    .sort((a, b) => a - b)
}

test('A178 A179 NATS opens its three ports and no other, and shows no password in its monitoring', async () => {
  const [client, monitor, cluster] = [await freePort(), await freePort(), await freePort()]
  const server = spawn(natsBinary(), ['-c', await writeConfiguration({ client, monitor, cluster })], {
    env: { POD_NAME: 'nats-0' },
    stdio: 'ignore',
  })
  const gone = new Promise((resolve) => server.once('exit', resolve))
  try {
    const request = (path: string) => fetch(`http://127.0.0.1:${monitor}${path}`).then((answer) => answer.text())
    await expect.poll(() => request('/varz').catch(() => '')).toContain('server_name')
    await expect.poll(() => portsOf(server.pid!)).toEqual([client, monitor, cluster].sort((a, b) => a - b))
    const passwords = [...secrets.nats!['passwords.conf']!.matchAll(/: "(.+)"/g)].map((found) => found[1]!)
    expect(passwords.length).toBeGreaterThan(5)
    const output = await Promise.all(
      ['/varz', '/connz?auth=1', '/accountz?acc=$G', '/jsz?config=1', '/routez', '/subsz'].map(request),
    )
    const named = await readFile(`/proc/${server.pid}/cmdline`, 'utf8')
    for (const password of passwords) expect(output.concat(named).filter((one) => one.includes(password))).toEqual([])
  } finally {
    server.kill('SIGTERM')
    await gone
  }
})

test('A179 no program of these tests has a password in its arguments', async () => {
  const passwords = ['DATABASE_URL', 'NATS_URL', 'REDIS_URL']
    .map((name) => new URL(process.env[name] ?? 'x:').password)
    .filter((password) => password.length > 7)
  expect(passwords.length).toBeGreaterThan(0)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  expect(lines.some((line) => line.includes('nats-server') || line.includes('redis-server'))).toBe(true)
  for (const password of passwords) expect(lines.filter((line) => line.includes(password))).toEqual([])
})

test('D076 the bus has a login with limits for every service', async () => {
  const users = [...(await text('k8s/stores/nats/users.conf')).matchAll(/^ {6}user: (\S+)\n {6}password: \$(\S+)$/gm)]
  const names = users.map((found) => found[1])
  expect(names).toEqual(expect.arrayContaining([...new Set(roles.map((role) => role.service)), 'operator']))
  for (const [, user, variable] of users) expect(variable).toBe(`NATS_${user!.toUpperCase()}`)
  const conf = await text('k8s/stores/nats/users.conf')
  expect(conf.match(/allow_responses:/g)).toHaveLength(users.length)
  expect(conf).not.toMatch(/"(>|\$SYS\.[^"]*|\$JS\.API\.>|_INBOX\.>)"/)
})

test('D091 NATS is pinned at 2.12.6 or newer everywhere', async () => {
  for (const file of ['k8s/stores/nats.yaml', 'compose.yaml']) {
    const [, major, minor, patch] = (await text(file)).match(/image: nats:(\d+)\.(\d+)\.(\d+)-alpine/)!.map(Number)
    expect(major! * 1e6 + minor! * 1e3 + patch!).toBeGreaterThanOrEqual(2_012_006)
  }
})

test('a NATS cluster of three keeps three replicas, and the stores are restricted like the app', async () => {
  const workloads = (
    await Promise.all(['nats', 'postgres', 'redis-state', 'redis-cache'].map((name) => text(`k8s/stores/${name}.yaml`)))
  )
    .flatMap(objectsOf)
    .filter((object) => object.kind === 'StatefulSet')
  expect(workloads).toHaveLength(4)
  for (const object of workloads) {
    const pod = (object.spec as AnySpec).template.spec as PodSpec
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(pod.containers[0]!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
  expect((workloads.find((one) => one.metadata.name === 'nats')!.spec as AnySpec).replicas).toBe(3)
  for (const name of OVERLAYS) expect(await text(`k8s/overlays/${name}.yaml`)).toContain('NATS_REPLICAS: 3')
})

test.each(OVERLAYS)(`${mark}NATS has space for the reserved bytes of all streams of %s`, async (name) => {
  const { of } = await lookUp(name)
  const config = of('ConfigMap')[0]!.data as Record<string, string>
  const bytes = Number(config.NATS_STREAM_BYTES ?? defaultStreamBytes)
  expect(streamNames.length).toBeGreaterThan(10)
  expect(streamNames.length * bytes).toBeLessThanOrEqual(spaceOf(await text('k8s/stores/nats/nats.conf')))
  const stated = /each of (\d+) streams/.exec(await text(`k8s/overlays/${name}.yaml`))
  if (stated) expect(Number(stated[1])).toBe(streamNames.length)
})

test.each(OVERLAYS)(`${mark}%s needs no priority class, because nothing creates one`, async (name) => {
  const { of, pod } = await lookUp(name)
  for (const { metadata } of of('Deployment'))
    expect(pod('Deployment', metadata.name.replace('murmuration-', '')).priorityClassName).toBeUndefined()
})

test('a changed configuration, permission or Redis rule restarts its stores when the stores are applied', async () => {
  const [kustomization] = objectsOf(await text('k8s/stores/kustomization.yaml')) as AnySpec[]
  // Kustomize adds a hash of these files to the names of the ConfigMaps in the pods.
  const files = Object.fromEntries(kustomization.configMapGenerator.map((one: AnySpec) => [one.name, one.files]))
  expect(kustomization.generatorOptions).toBeUndefined()
  expect(files['nats-config']).toEqual(['nats/nats.conf', 'nats/users.conf'])
  expect(files['redis-config']).toEqual(['redis/state.conf', 'redis/cache.conf', 'redis/users.rules'])
  for (const [store, config] of [
    ['nats', 'nats-config'],
    ['redis-state', 'redis-config'],
    ['redis-cache', 'redis-config'],
  ]) {
    const set = objectsOf(await text(`k8s/stores/${store}.yaml`)).find((one) => one.kind === 'StatefulSet')
    expect(JSON.stringify((set!.spec as AnySpec).template.spec.volumes)).toContain(`"configMap":{"name":"${config}"`)
  }
})

test('the upgrade in k8s/README.md applies Secrets and stores before the release', async () => {
  const section = /\n## Upgrade\n(.*?)\n## /s.exec(await text('k8s/README.md'))?.[1] ?? ''
  const commands = [...section.matchAll(/^ {4}(.+)$/gm)].map(([, line]) => line)
  expect(commands).toEqual([
    expect.stringContaining('make-secrets.sh | kubectl apply -f -'),
    'kubectl apply -k k8s/stores',
    expect.stringContaining('get statefulset -o name | xargs -n 1 kubectl -n murmuration rollout status'),
    expect.stringContaining('helm upgrade --install'),
  ])
})

test(`${mark}the network policies of each store admit every role that needs it`, async () => {
  const policies = objectsOf(await text('k8s/stores/network.yaml'))
  const rule = (policies.find((one) => one.metadata.name === 'stores-from-app')!.spec as AnySpec).ingress[0]
  expect(rule.ports.map((one: AnySpec) => one.port)).toEqual([5432, 4222, 6379])
  const { spec } = await lookUp('large')
  for (const role of roles)
    expect(spec('Deployment', keyOf(role)).template.metadata.labels).toMatchObject(rule.from[0].podSelector.matchLabels)
})

test.each([
  ['small', 'postgres.yaml', /max_connections=(\d+)/],
  ['large', 'postgres-cluster.yaml', /max_connections: "(\d+)"/],
] as const)(
  `${mark}F036 all pools of %s together fit into the PostgreSQL that stands beside it`,
  async (overlay, store, pattern) => {
    const { pod, of } = await lookUp(overlay)
    const env = pod('Job', 'migrate').containers[0]!.env!
    const wanted = Number(env.find((one) => one.name === 'DATABASE_CONNECTIONS')?.value)
    const needing = new Set(roles.filter((role) => role.needs.includes('postgres')).map(keyOf))
    const pods = of('HorizontalPodAutoscaler')
      .filter((object) => needing.has(object.metadata.name.replace('murmuration-', '')))
      .reduce((sum, object) => sum + Number((object.spec as AnySpec).maxReplicas), 0)
    expect(wanted % pods).toBe(0)
    const max = Number(pattern.exec(await text(`k8s/stores/${store}`))?.[1])
    expect(wanted).toBeGreaterThanOrEqual(pods)
    expect(wanted).toBeLessThanOrEqual(0.8 * (max - 3))
  },
)
