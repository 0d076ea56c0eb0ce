/** STOP_GRACE_SECONDS: time limit of a stopping process, in total and for its listeners. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort, repository, SOURCE_ARGS } from '@murmuration/testkit'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('slow-listener.ts', import.meta.url))

/** Starts the process, waits until it is ready, and sends SIGTERM. */
const stopped = async (grace: string) => {
  const port = await freePort()
  const child = spawn(process.execPath, [...SOURCE_ARGS, program], {
    cwd: repository(),
    env: {
      ...process.env,
      MODE: 'test',
      SECRET_KEY_BASE: 'a base of more than thirty-two characters',
      HEALTH_PORT: String(port),
      STOP_GRACE_SECONDS: grace,
    },
  })
  const output = { text: '' }
  child.stdout.on('data', (chunk) => {
    output.text += chunk
  })
  const ended = once(child, 'exit')
  const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.status)
  await expect.poll(() => ready().catch(() => 0)).toBe(200)
  const sent = performance.now()
  child.kill('SIGTERM')
  return { child, ended, output, elapsed: () => performance.now() - sent }
}

test('a process with a grace of 10 seconds ends after 10 seconds', async () => {
  const { ended, elapsed } = await stopped('10')
  expect(await ended).toEqual([0, null])
  expect(elapsed()).toBeGreaterThan(9_900)
  expect(elapsed()).toBeLessThan(20_000)
})

test('a process with a grace of 60 seconds gives its listeners nearly all of it', async () => {
  const { child, ended, output } = await stopped('60')
  await expect.poll(() => output.text).toContain('stop ')
  const given = Number(/stop (\d+)/.exec(output.text)?.[1])
  expect(given).toBeGreaterThan(50_000)
  expect(given).toBeLessThan(60_000)
  child.kill('SIGKILL')
  await ended
})
