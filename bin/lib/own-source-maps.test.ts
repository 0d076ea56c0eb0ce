/** Source maps in a process of the product. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'source-maps-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('stack traces have lines of the sources of this repository, and packages have no source maps', async () => {
  // Line 1 of the compiled code is line 3 of the source.
  const map = Buffer.from(JSON.stringify({ version: 3, sources: ['source.ts'], names: [], mappings: 'AAEA' }))
  const compiled = `export const where = () => new Error('here').stack\n//# sourceMappingURL=data:application/json;base64,${map.toString('base64')}\n`
  mkdirSync(join(dir, 'node_modules/other'), { recursive: true })
  writeFileSync(join(dir, 'node_modules/other/index.mjs'), compiled)
  writeFileSync(join(dir, 'own.mjs'), compiled)
  const call = `
    const [own, other] = await Promise.all(['own.mjs', 'node_modules/other/index.mjs'].map((file) => import('${dir}/' + file)))
    console.log(JSON.stringify([own.where(), other.where()]))`
  const maps = fileURLToPath(new URL('./own-source-maps.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', maps],
    ...['--input-type=module', '-e', call],
  ])
  const [own, other] = JSON.parse(stdout)
  expect(own).toContain('source.ts:3:')
  expect(other).toContain('node_modules/other/index.mjs:1:')
})
