/** The wait for a backing server that recovers its data, and for one that does not respond. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from './server.mjs'

const start = async (states: readonly ('ready' | 'recovering' | 'failed' | 'silent')[]) => {
  const dir = mkdtempSync(join(tmpdir(), 'server-'))
  mkdirSync(join(dir, 'log'))
  const said: string[] = []
  const children: { stop(): Promise<void> }[] = []
  const began = performance.now()
  const roundMs = 100
  const outcome = await startServer({
    name: 'Sleeper',
    argv: [process.execPath, '-e', 'setInterval(() => {}, 1_000)'],
    stopSignal: 'SIGTERM',
    dir,
    hold: { remember: () => {} },
    // One state for each round.
    state: async () => states[Math.floor((performance.now() - began) / roundMs)] ?? states.at(-1) ?? 'silent',
    say: (text: string) => said.push(text),
    onStart: (child: { stop(): Promise<void> }) => children.push(child),
    roundMs,
  }).then(
    () => 'ready',
    (error: Error) => error.message,
  )
  await Promise.all(children.map((child) => child.stop()))
  return { outcome, said }
}

test('a server that recovers for long is waited for, and the wait is reported', async () => {
  const { outcome, said } = await start([...Array<'recovering'>(6).fill('recovering'), 'ready'])
  expect(outcome).toBe('ready')
  expect(said.length).toBeGreaterThan(3)
  expect(said[0]).toMatch(/^Sleeper is recovering its data, which may take minutes; its log is /)
})

test('a server without a response fails after three rounds', async () => {
  const { outcome, said } = await start(['silent'])
  expect(outcome).toMatch(/^Sleeper did not respond within 0\.3 s/)
  expect(said).toEqual([])
})

test('a server that cannot recover its data fails at once', async () => {
  const { outcome } = await start(['recovering', 'failed', 'ready'])
  expect(outcome).toMatch(/^Sleeper cannot recover its data/)
})
