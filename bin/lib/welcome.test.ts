/** The printed login of the first administrator: first and later starts, a damaged file, and a file that cannot be written. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { welcome } from './welcome.mjs'

const admin = { created: true, username: 'admin', email: 'admin@social.example', password: 'a-long-secret' }
const freshFile = () => join(mkdtempSync(join(tmpdir(), 'welcome-')), 'first-admin.json')
const printed = (given: typeof admin | { created: false }, file: string) => {
  const lines: string[] = []
  const add = (text: string) => lines.push(text)
  welcome(3_000, given, file, add, add)
  return lines.join('\n')
}

test('the password is printed at the first start only, and stored', () => {
  const file = freshFile()
  expect(printed(admin, file)).toMatch(/E-mail +admin@social\.example\n +Password +a-long-secret/)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(admin)
  const later = printed({ created: false }, file)
  expect(later).toMatch(/E-mail +admin@social\.example\n +Password +printed at the first start/)
  expect(later).not.toContain('a-long-secret')
})

test.each(['', '{"created":'])('a damaged file (%o) does not prevent a start', (text) => {
  const file = freshFile()
  writeFileSync(file, text)
  expect(printed({ created: false }, file)).toContain('bin/ctl account modify admin --reset-password')
})

test('the password is printed also if it cannot be stored', () => {
  const file = join(freshFile(), 'below-a-missing-folder')
  const text = printed(admin, file)
  expect(text).toContain('Password   a-long-secret')
  expect(text).toContain('could not be written (ENOENT), so note the password')
})
