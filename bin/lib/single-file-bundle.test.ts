/** Bundled programs behave like their sources, and are used only while the sources are unchanged. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '@murmuration/testkit'
import { afterAll, expect, test } from 'vitest'
import { bundleToFile, currentBundle } from './single-file-bundle.mjs'

const root = mkdtempSync(join(tmpdir(), 'single-file-bundle-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const run = (file: string | null, ...words: string[]) =>
  execFileSync(process.execPath, [file ?? '', ...words]).toString()

test('the bundle is used while no source changed, and built again afterwards', async () => {
  mkdirSync(join(root, 'bin/control'), { recursive: true })
  const part = join(root, 'bin/control/part.ts')
  writeFileSync(join(root, 'bin/ctl.ts'), `import { word } from './control/part.js'\nconsole.log(word)\n`)
  writeFileSync(part, `export const word: string = 'first'\n`)
  expect(currentBundle(root, 'bin/ctl.ts')).toBeNull()
  await bundleToFile(root, 'bin/ctl.ts')
  expect(run(currentBundle(root, 'bin/ctl.ts'))).toBe('first\n')

  writeFileSync(part, `export const word: string = 'second'\n`)
  expect(currentBundle(root, 'bin/ctl.ts')).toBeNull()
  await bundleToFile(root, 'bin/ctl.ts')
  expect(run(currentBundle(root, 'bin/ctl.ts'))).toBe('second\n')

  rmSync(part)
  expect(currentBundle(root, 'bin/ctl.ts')).toBeNull()
})

test('bin/ctl can be bundled into one file with all commands', async () => {
  await bundleToFile(repository(), 'bin/ctl.ts')
  const bundle = currentBundle(repository(), 'bin/ctl.ts')
  expect(bundle).not.toBeNull()
  expect(run(bundle, 'help')).toContain('Access tokens of the client API.')
})
