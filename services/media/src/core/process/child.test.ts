/** Tests of child processes: limits, time-outs, and their end with the parent process. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ChildStopped, createChildren, FILE_TOO_LARGE, isKilled } from './child.js'

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'child-test-'))
})
afterAll(() => rm(cwd, { recursive: true }))

const options = (program: string, ...args: string[]) => ({
  program,
  args,
  cwd,
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 10_000,
  memoryBytes: 512 * 1_048_576,
  fileBytes: 1_048_576,
})
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('output and exit code of a program are returned, and no shell interprets its arguments', async () => {
  const { run } = createChildren()
  expect(await run(options('/bin/echo', '$(id); `id`', "'"))).toEqual({
    code: 0,
    stdout: "$(id); `id` '\n",
    errors: '',
  })
  expect((await run(options('/bin/sh', '-c', 'exit 7'))).code).toBe(7)
  expect((await run(options('/bin/cat'))).stdout).toBe('')
  expect((await run(options('/nowhere/program'))).code).toBe(127)
})

test('the last kilobyte of the error output of a program is returned', async () => {
  const { run } = createChildren()
  const loud = await run(options('/bin/sh', '-c', 'head -c 300000 /dev/zero >&2; echo made; echo lost >&2; exit 3'))
  expect([loud.code, loud.stdout, loud.errors]).toEqual([3, 'made\n', `${'\0'.repeat(1_019)}lost\n`])
})

test('D055 the kernel limits memory, time, file size and open files', async () => {
  const { stdout } = await createChildren().run(options('/bin/cat', '/proc/self/limits'))
  expect(stdout).toMatch(/Max address space +536870912 /)
  expect(stdout).toMatch(new RegExp(`Max cpu time +${10 * Math.max(2, availableParallelism())} `))
  expect(stdout).toMatch(/Max file size +1048576 /)
  expect(stdout).toMatch(/Max open files +64 /)
  expect(stdout).toMatch(/Max core file size +0 /)
})

test('a program that exceeds the limit of file size, output or time is stopped', async () => {
  const { run } = createChildren()
  const large = await run(options('/bin/dd', 'if=/dev/zero', 'of=large', 'bs=1M', 'count=5')).catch((error) => error)
  expect(large.code).toBe(FILE_TOO_LARGE)
  await expect(run(options('/bin/cat', '/dev/zero'))).rejects.toMatchObject({ reason: 'output' })
  // The sleep is longer than the time limit of the test, so the test fails if the program is not stopped.
  await expect(run({ ...options('/bin/sleep', '60'), timeoutMs: 100 })).rejects.toMatchObject({ reason: 'time' })
})

test.each([
  ['by SIGKILL', 'kill -9 $$'],
  ['by SIGTERM', 'kill -TERM $$'],
  ['by a signal that it catches, as ffmpeg does', 'exit 255'],
])('a program that is ended %s was killed', async (_how, line) => {
  const { run } = createChildren()
  const killed = await run(options('/bin/sh', '-c', line)).catch((error) => error)
  expect(killed).toMatchObject({ reason: 'killed' })
  expect([isKilled(killed), isKilled(new Error('wrapped', { cause: killed })), isKilled(new Error('other'))]).toEqual([
    true,
    true,
    false,
  ])
})

test('a program that crashes, or that reports an error with code 255, ended by itself', async () => {
  const { run } = createChildren()
  expect((await run(options('/bin/sh', '-c', 'kill -SEGV $$'))).code).toBe(139)
  expect((await run(options('/bin/sh', '-c', 'echo broken >&2; exit 255'))).code).toBe(255)
})

test('closing ends all running programs', async () => {
  const children = createChildren()
  const ended = children.run(options('/bin/sleep', '60')).catch((error) => error)
  await new Promise((resolve) => setTimeout(resolve, 100))
  children.close()
  expect(await ended).toBeInstanceOf(ChildStopped)
  expect(await ended).toMatchObject({ reason: 'ended' })
})

test('F008 a program ends with the process that started it, however that ends', async () => {
  const script = join(cwd, 'parent.mts')
  const child = new URL('./child.ts', import.meta.url).href
  await writeFile(
    script,
    `import { createChildren } from ${JSON.stringify(child)}
    createChildren().run({ program: '/bin/sh', args: ['-c', 'echo $$ > pid; exec sleep 60'], cwd: ${JSON.stringify(cwd)},
      env: {}, timeoutMs: 60000, memoryBytes: 536870912, fileBytes: 1048576 })`,
  )
  const parent = spawn(process.execPath, [...SOURCE_ARGS, script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: 'ignore',
  })
  const pidOf = () => readFile(join(cwd, 'pid'), 'utf8').then(Number, () => 0)
  await expect.poll(pidOf).toBeGreaterThan(0)
  const pid = await pidOf()
  expect(alive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => alive(pid)).toBe(false)
})
