/** Bundled programs behave like their sources, and find files relative to their sources. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { bundlePrograms } from './bundle.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'bundle-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = join(root, 'out')
const bundle = () => bundlePrograms(root, { one: 'bin/one.ts', two: 'bin/two.ts' }, folder)
const run = (name: string) => execFileSync(process.execPath, [join(folder, `${name}.mjs`)]).toString()

test('bundled programs run, have the URL of their source, and are bundled again after a change', async () => {
  mkdirSync(join(root, 'bin'))
  const part = join(root, 'bin/part.ts')
  writeFileSync(join(root, 'bin/one.ts'), `import { word } from './part.js'\nconsole.log(word, import.meta.url)\n`)
  writeFileSync(join(root, 'bin/two.ts'), `const { word } = await import('./part.js')\nconsole.log(word)\n`)
  writeFileSync(part, `export const word: string = 'first'\n`)
  await bundle()
  expect(run('one')).toBe(`first ${pathToFileURL(join(root, 'bin/one.ts'))}\n`)
  expect(run('two')).toBe('first\n')

  writeFileSync(part, `export const word: string = 'second'\n`)
  await bundle()
  expect(run('two')).toBe('second\n')
})
