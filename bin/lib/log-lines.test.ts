/** Lines in the log file and on the terminal. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { logLines, shortForm } from './log-lines.mjs'

test('only warnings and errors are shown, in short form', () => {
  expect(shortForm('{"level":"info","msg":"started"}')).toBeNull()
  expect(shortForm('{"level":30,"msg":"started"}')).toBeNull()
  expect(shortForm('{"level":"warn","service":"accounts","msg":"slow"}')).toBe('warning accounts slow')
  expect(shortForm('{"level":50,"msg":"failed","err":{"message":"no route"}}')).toBe('error failed no route')
  expect(shortForm('Error: broken')).toBe('Error: broken')
  expect(shortForm('    at file.ts:1')).toBeNull()
  expect(shortForm('(node:1) ExperimentalWarning')).toBeNull()
})

test('the file has every line, also a last one without a line end, and the terminal gets a limited number', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'core.log')
  const shown: string[] = []
  const log = logLines({ file, name: 'core', show: (line: string) => shown.push(line) })
  const lines = Array.from({ length: 50 }, (_, at) => `{"level":"error","msg":"é ${at}"}`)
  const bytes = Buffer.from(lines.join('\n'))
  const cuts = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7))
  const stream = Readable.from(cuts, { objectMode: false })
  log.read(stream)
  await finished(stream)
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(lines)
  expect(shown).toHaveLength(21)
  expect(shown[0]).toBe('core: error é 0')
  expect(log.lastError()).toBe('error é 49')
  log.close()
})
