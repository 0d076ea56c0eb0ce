/** Folders that settings name: each is checked at the start of the roles that use it, before anything connects. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNeeds, readCommonConfig } from '@murmuration/kernel'
import { afterAll, expect, test } from 'vitest'
import { settingsOf } from '../generate/settings.js'
import { loadAll } from '../services.js'

const dir = mkdtempSync(join(tmpdir(), 'folders-'))
afterAll(() => rmSync(dir, { recursive: true }))
const SECRET_KEY_BASE = 'x'.repeat(32)

const apps = await loadAll()

/** Services with their settings that name folders. */
const folders = await Promise.all(
  apps.map(async (app) => {
    const settings = Object.values(await settingsOf(app.manifest.service))
    return { app, names: settings.map(({ env }) => env).filter((env) => env.endsWith('_DIR')) }
  }),
)

const check = (app: (typeof apps)[number], roles: readonly string[], given: Record<string, string>) => {
  const plans = Object.entries(app.manifest.roles).filter(([role]) => roles.includes(role))
  const env = { MODE: 'development', SECRET_KEY_BASE, ...given }
  app.checkSettings?.(env, readCommonConfig(env), createNeeds(app.manifest.service, plans))
}

const goodFolders = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, dir]))

test('each setting that names a folder is refused in one line if no file can be created in it', () => {
  const unchecked = folders.flatMap(({ app, names }) =>
    names.flatMap((name) => {
      try {
        check(app, Object.keys(app.manifest.roles), { ...goodFolders(names), [name]: '/proc' })
        return [`${app.manifest.service} ${name}`]
      } catch (error) {
        expect((error as Error).message).toMatch(new RegExp(`^${name} is no folder that can be written: [^\\n]+$`))
        return []
      }
    }),
  )
  expect(folders.flatMap(({ names }) => names).toSorted()).toEqual([
    ...Array(4).fill('BLOB_DIR'),
    'MAIL_DIR',
    'MEDIA_TEMP_DIR',
  ])
  expect(unchecked).toEqual([])
})

test('roles without files or e-mails accept any folder', () => {
  for (const { app, names } of folders)
    for (const name of names.filter((one) => one !== 'MEDIA_TEMP_DIR')) {
      const need = name === 'MAIL_DIR' ? 'smtp' : 'blob'
      const roles = Object.entries(app.manifest.roles).filter(([, plan]) => !plan.needs.includes(need))
      const given = { ...goodFolders(names), [name]: '/proc' }
      expect(() =>
        check(
          app,
          roles.map(([role]) => role),
          given,
        ),
      ).not.toThrow()
    }
})

test('MAIL_DIR is created privately, and is not needed with a mail server or in production', () => {
  const { app } = folders.find(({ names }) => names.includes('MAIL_DIR')) ?? expect.fail('no service writes e-mails')
  const made = join(dir, 'new', 'mail')
  check(app, ['mail'], { MAIL_DIR: made })
  expect([statSync(made).mode & 0o777, readdirSync(made)]).toEqual([0o700, []])
  for (const more of [{ SMTP_SERVER: 'mail.example' }, { MODE: 'production' }])
    expect(() => check(app, ['mail'], { MAIL_DIR: '/proc', ...more })).not.toThrow()
})
