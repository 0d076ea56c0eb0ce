/** Locking of a data folder: one supervisor at a time, and a killed one does not block the next. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDataFolder } from './data-folder-lock.mjs'
import { identityOf, isRunning } from './identity.mjs'

const freshFolder = () => mkdtempSync(join(tmpdir(), 'data-folder-lock-'))

test('a locked folder is refused in one sentence, and can be locked again after its release', async () => {
  const dir = freshFolder()
  const hold = await lockDataFolder(dir)
  await expect(lockDataFolder(dir)).rejects.toThrow(/is in use by process \d+: stop that one first/)
  hold.release()
  const again = await lockDataFolder(dir)
  again.release()
  expect(existsSync(join(dir, 'running.json'))).toBe(false)
})

test('a folder that cannot be created is refused immediately, and others are created with their parents', async () => {
  await expect(lockDataFolder('/proc/x/y')).rejects.toThrow('cannot be written (ENOENT)')
  const hold = await lockDataFolder(join(freshFolder(), 'a', 'b'))
  hold.release()
})

test('a folder in which the system permits no files is refused in one sentence, even for root', async () => {
  for (const dir of ['/proc', '/sys'])
    await expect(lockDataFolder(dir)).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringMatching(/^The data folder \/\w+ cannot be written \(\w+\)/),
    })
})

test('exactly one of several simultaneous starts gets the folder', async () => {
  const dir = freshFolder()
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => lockDataFolder(dir)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
})

test('a record of a dead process, or a damaged one, does not block', async () => {
  const dir = freshFolder()
  for (const left of [
    '{"pid":',
    '',
    'null',
    JSON.stringify({ pid: process.pid, born: 'another life', children: [] }),
  ]) {
    writeFileSync(join(dir, 'running.json'), left)
    const hold = await lockDataFolder(dir)
    expect(JSON.parse(readFileSync(join(dir, 'running.json'), 'utf8')).pid).toBe(process.pid)
    hold.release()
  }
})

test('children of a killed supervisor are ended before the folder is locked', async () => {
  const dir = freshFolder()
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  const left = { name: 'sleep', stopSignal: 'SIGTERM', ...identityOf(child.pid) }
  writeFileSync(join(dir, 'running.json'), JSON.stringify({ pid: 1, born: 'gone', children: [left] }))
  const hold = await lockDataFolder(dir)
  expect(isRunning(left)).toBe(false)
  hold.release()
})
