/** D084: secrets are files of an existing Secret, each service sees its own only, and the rendering contains no secret. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrlOf, readCommonConfig } from '@murmuration/kernel'
import { describe, expect, test } from 'vitest'
import { type AnySpec, keyOf, lookUp, mark, OVERLAYS, type PodSpec, roles, textOf } from './rendered.js'

/** File name in the pod → key of the Secret. */
const filesOf = (pod: PodSpec): Record<string, string> =>
  Object.fromEntries(
    pod.volumes
      .flatMap((volume) => volume.projected?.sources ?? [])
      .flatMap((source) => source.secret.items.map((item) => [item.path, item.key])),
  )

describe.each(OVERLAYS)(`${mark}%s`, (name) => {
  test('D084 no Secret is created, and none is used in the environment', async () => {
    const { objects, of } = await lookUp(name)
    expect(objects.filter((object) => object.kind === 'Secret')).toEqual([])
    for (const object of [...of('Deployment'), ...of('Job')]) {
      const [container] = ((object.spec as AnySpec).template.spec as PodSpec).containers
      expect((container!.env ?? []).filter((one) => one.valueFrom)).toEqual([])
      expect(((container!.envFrom ?? []) as AnySpec[]).filter((one) => one.secretRef)).toEqual([])
    }
  })

  test('D084 the rendering contains no password, key or address with a login', async () => {
    const text = await textOf(name)
    expect(text).not.toMatch(/:\/\/[^\s/"]+:[^\s/"]+@/)
    expect(text).not.toMatch(
      /^\s*"?(SECRET_KEY_BASE(_PREVIOUS)?|SMTP_PASSWORD|VAPID_PRIVATE_KEY|AWS_SECRET_ACCESS_KEY)"?:/m,
    )
    expect(text).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY/)
  })

  test.each(roles.map((role) => [keyOf(role), role] as const))(
    'D084 %s sees only its own logins',
    async (key, role) => {
      const { pod } = await lookUp(name)
      const spec = pod('Deployment', key)
      const files = filesOf(spec)
      const own = role.service.toUpperCase()
      const keys = Object.values(files).filter((one) => one.endsWith('_URL'))
      expect(keys.filter((one) => one !== 'NATS_URL' && !one.startsWith(`${own}_`))).toEqual([])
      expect(`${own}_DATABASE_URL` in files).toBe(role.needs.includes('postgres'))
      expect('REDIS_URL' in files).toBe(role.needs.includes('redis'))
      expect('REDIS_CACHE_URL' in files).toBe(role.needs.includes('redis-cache'))
      expect(files.NATS_URL).toBe('NATS_URL')
      expect('VAPID_PRIVATE_KEY' in files).toBe(role.service === 'notifications')
      expect('SECRET_KEY_BASE_PREVIOUS' in files).toBe(['accounts', 'admin', 'notifications'].includes(role.service))
      const needed = spec.volumes
        .flatMap((volume) => volume.projected?.sources ?? [])
        .filter((source) => (source.secret as { optional?: boolean }).optional !== true)
      // A Secret without this key must not keep a pod from starting.
      expect(needed.flatMap((source) => source.secret.items.map((item) => item.key))).not.toContain(
        'SECRET_KEY_BASE_PREVIOUS',
      )
      const [container] = spec.containers
      const mount = container!.volumeMounts.find((one) => one.name === 'secrets')
      expect(mount).toEqual({ name: 'secrets', mountPath: '/run/secrets/murmuration', readOnly: true })
      const setting = container!.env?.find((one) => one.name === 'SECRETS_DIR')
      expect(setting?.value).toBe(mount?.mountPath)
    },
  )

  test('D079 only the migrations see the login that owns the schemas', async () => {
    const { of, pod } = await lookUp(name)
    const job = of('Job')[0]!.spec as AnySpec
    expect(filesOf(job.template.spec).DATABASE_URL).toBe('DATABASE_URL')
    for (const role of roles)
      expect(Object.values(filesOf(pod('Deployment', keyOf(role))))).not.toContain('DATABASE_URL')
  })
})

test('D084 a process reads its secrets from the files of SECRETS_DIR', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-secrets-'))
  try {
    await writeFile(join(folder, 'SECRET_KEY_BASE'), 'a base of more than thirty-two characters\n')
    await writeFile(join(folder, 'SECRET_KEY_BASE_PREVIOUS'), 'the base before, of more than thirty-two characters\n')
    await writeFile(join(folder, 'STATUSES_DATABASE_URL'), 'postgres://one@two/three')
    const env = { SECRETS_DIR: folder, LOCAL_DOMAIN: 'social.example' }
    const config = readCommonConfig(env)
    expect(config.secretKeyBase).toBe('a base of more than thirty-two characters')
    expect(config.secretKeyBasePrevious).toBe('the base before, of more than thirty-two characters')
    expect(databaseUrlOf(config, 'statuses', env)).toBe('postgres://one@two/three')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
