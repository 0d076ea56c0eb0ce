/**
 * Helpers for tests of the built images: build them, and run containers with the restrictions that the chart and compose.yaml
 * set. A test file that starts containers calls `remove` at its end.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from './rendered.js'

const { findTool } = await import(new URL('bin/lib/tools.mjs', root).href)
const find = async (name: string): Promise<string[] | null> => (await findTool(name)).argv ?? null

/** Command of the Docker client; null when Docker is missing. */
export const docker = await find('docker')

/** Command of Docker Compose; null when it is missing. */
export const compose = await find('compose')

export interface Output {
  code: number | null
  stdout: Buffer
  stderr: string
}

/** Runs a program until it ends. Does not reject for a non-zero exit code. */
export const run = (argv: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Output> =>
  new Promise((resolve, reject) => {
    const child = spawn(argv[0] ?? '', argv.slice(1), {
      cwd: fileURLToPath(root),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stdout: Buffer[] = []
    let stderr = ''
    child.stdout.on('data', (bytes) => stdout.push(bytes))
    child.stderr.on('data', (bytes) => {
      stderr += String(bytes)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(stdout), stderr }))
  })

/** Standard output of a Docker command. Throws an error with its standard error if it fails. */
export const asked = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run([...(docker ?? []), ...words])
  if (code !== 0) throw new Error(`docker ${words.slice(0, 3).join(' ')} …: ${stderr.slice(-2_000)}`)
  return stdout.toString().trim()
}

/** Builds both images. Reuses existing ones when nothing has changed. */
export const builtImages = async (): Promise<{ app: string; media: string }> => {
  const { code, stderr } = await run([process.execPath, fileURLToPath(new URL('bin/image', root))])
  if (code !== 0) throw new Error(`bin/image: ${stderr.slice(-4_000)}`)
  return { app: 'murmuration:local', media: 'murmuration-media:local' }
}

/** Options of `docker run` with the restrictions that the chart and compose.yaml set. */
export const CONFINED = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--network', 'host', '--pids-limit', '200'],
]

export interface Kept {
  name: string
  image: string
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** Further options of `docker run`, such as volumes. */
  words?: readonly string[]
}

/** Containers and volumes of one test file. `remove` deletes all of them. */
export const createContainers = () => {
  const prefix = `murmuration-test-${randomBytes(4).toString('hex')}`
  const nameOf = (name: string) => `${prefix}-${name.replace(/[^\w-]/g, '-')}`
  const words = ({ image, command, env, words: more = [] }: Omit<Kept, 'name'>): string[] => [
    ...[...CONFINED, '--label', prefix, ...more],
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...[image, ...command],
  ]
  return {
    volume: `${prefix}-blob`,
    /** Runs one command until it ends. */
    once: (one: Omit<Kept, 'name'>): Promise<Output> => run([...(docker ?? []), 'run', '--rm', ...words(one)]),
    start: (one: Kept): Promise<string> => asked('run', '--detach', '--name', nameOf(one.name), ...words(one)),
    exec: (name: string, ...command: string[]): Promise<Output> =>
      run([...(docker ?? []), 'exec', nameOf(name), ...command]),
    logs: async (name: string): Promise<string> => {
      const { stdout, stderr } = await run([...(docker ?? []), 'logs', '--tail', '30', nameOf(name)])
      return `${name}: ${stdout}${stderr}`
    },
    state: async (name: string): Promise<{ Running: boolean; ExitCode: number; OOMKilled: boolean }> =>
      JSON.parse(await asked('inspect', '--format', '{{json .State}}', nameOf(name))),
    /** Sends SIGTERM and waits. Docker sends SIGKILL after the grace period. */
    stop: (name: string, graceSeconds: number): Promise<string> =>
      asked('stop', '--time', String(graceSeconds), nameOf(name)),
    async remove(): Promise<void> {
      const ids = (await asked('ps', '--all', '--quiet', '--filter', `label=${prefix}`)).split('\n').filter(Boolean)
      if (ids.length) await asked('rm', '--force', '--volumes', ...ids)
      await asked('volume', 'rm', '--force', `${prefix}-blob`)
    },
  }
}

/** Repeats `look` until it succeeds, and returns its result. After the timeout, throws an error with the last failure as cause. */
export const eventually = async <T>(
  what: string,
  look: () => Promise<T | null | undefined>,
  timeoutMs = 550_000,
): Promise<T> => {
  const end = Date.now() + timeoutMs
  for (;;) {
    let reason: unknown
    const found = await look().catch((error: unknown) => {
      reason = error
      return null
    })
    if (found !== null && found !== undefined) return found
    if (Date.now() > end) throw new Error(`${what}: not after ${timeoutMs} ms`, { cause: reason })
    await pause(250)
  }
}
