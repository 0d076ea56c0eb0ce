/** Test of F008: the worker is killed while it transcodes. No file of it stays, and the next worker finishes the attachment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { showAttachment, uploadAttachment } from '@murmuration/contracts/media'
import { programFile, SOURCE_ARGS } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'
import { makeStandIn, type StandIn, webm } from './stand-in.js'

let dir: string
let harness: Harness
let standIn: StandIn
const workers: ChildProcess[] = []
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'killed-test-'))
  standIn = await makeStandIn(dir)
  harness = await startHarness(standIn.env, { worker: false })
})
afterAll(async () => {
  for (const one of workers) if (one.exitCode === null && one.signalCode === null) one.kill('SIGKILL')
  await harness.stop()
  await rm(dir, { recursive: true })
})

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts a worker process. Resolves with its signal or exit code when it ended. */
const startWorker = (env: Record<string, string>): Promise<NodeJS.Signals | number | null> => {
  const child = spawn(process.execPath, [...SOURCE_ARGS, programFile('serve'), 'media:worker'], {
    cwd: root,
    env: { ...process.env, ...harness.cluster.env, ...env },
    stdio: 'ignore',
  })
  workers.push(child)
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
}
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('F008 the transcoder ends with its killed worker, work directories are deleted, and the attachment is finished', async () => {
  const { body } = await harness.request(uploadAttachment, { file: await harness.stage(webm('ONCE')) })
  // The pause gives the transcoder time to begin.
  const point = 'media.duringTranscode'
  expect(await startWorker({ FAULT_POINTS: `${point}=sleep:3000@1,${point}=exit@1` })).toBe('SIGKILL')
  expect((await standIn.log()).includes('ffmpeg')).toBe(true)
  const before = await standIn.pids()
  await expect.poll(() => before.filter(alive)).toEqual([])
  expect((await harness.request(showAttachment, { id: body.id })).status).toBe(206)
  expect(await readdir(harness.temp)).not.toEqual([])
  startWorker({ FAULT_POINTS: '' })
  await expect.poll(() => readdir(harness.temp)).toEqual([])
  const status = async () => (await harness.request(showAttachment, { id: body.id })).status
  await expect.poll(status, { interval: 250 }).toBe(200)
  await harness.cluster.waitForIdle()
  const roots = await readdir(harness.temp)
  const left = await Promise.all(roots.map((name) => readdir(join(harness.temp, name))))
  expect([left.flat(), (await harness.blobs.list('staging/')).blobs]).toEqual([[], []])
})
