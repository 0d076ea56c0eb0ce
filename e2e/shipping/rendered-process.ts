/**
 * Runs a role as a process with exactly the arguments, environment, secret files and folders of its rendered Deployment. It runs
 * the compiled program of the image.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { AnySpec, PodSpec } from './rendered.js'
import { root } from './rendered.js'
import type { Secrets } from './rendered-stores.js'

const at = (path: string): string => fileURLToPath(new URL(path, root))

/** Compiles the programs of the image, as the Dockerfile does. Does nothing when they are current. */
export const buildPrograms = async (): Promise<void> => {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }
  const options = { cwd: at('.'), env, maxBuffer: 64 * 1024 * 1024 }
  const tool = (name: string) => at(`node_modules/.bin/${name}`)
  const words = ['run', 'build', '--filter=./services/*', '--', '--noCheck', '--declaration', 'false']
  await promisify(execFile)(tool('turbo'), words, options)
  await promisify(execFile)(tool('tsc'), ['-p', 'bin/tsconfig.json', '--noCheck'], options)
}

/** Runs a compiled program until it ends. Returns its standard output. */
export const runProgram = async (name: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [at(`bin/dist/${name}.js`), ...words], { env })
  return stdout
}

export interface RenderedProcess {
  readonly healthPort: number
  /** Exit code or signal; null while it runs. */
  ended(): number | string | null
  /** The last lines of its output. */
  said(): string
  stop(): Promise<void>
}

/** Writes a projected volume like the kubelet: files in a separate folder behind symbolic links, with the mode of the volume. */
const project = async (folder: string, volume: AnySpec, secrets: Secrets): Promise<void> => {
  const { sources, defaultMode } = volume.projected
  const data = join(folder, '..2026_01_01')
  await mkdir(data, { recursive: true })
  await symlink('..2026_01_01', join(folder, '..data'))
  for (const { secret } of sources as AnySpec[])
    for (const { key, path } of secret.items) {
      const value = secrets[secret.name]?.[key]
      if (value === undefined && !secret.optional) throw new Error(`the Secret ${secret.name} has no key ${key}`)
      if (value === undefined) continue
      await writeFile(join(data, path), value)
      await chmod(join(data, path), defaultMode)
      await symlink(join('..data', path), join(folder, path))
    }
}

/**
 * Starts a role.
 *
 * @param options `pod`: pod of its Deployment; `config`: data of the ConfigMap; `claims`: folder of each volume claim; `other`:
 *   variables that must differ on this machine, such as ports
 */
export const startRendered = async (options: {
  pod: PodSpec
  config: Record<string, string>
  secrets: Secrets
  claims: Record<string, string>
  healthPort: number
  other: Record<string, string>
}): Promise<RenderedProcess> => {
  const container = options.pod.containers[0]
  if (!container) throw new Error('the pod has no container')
  const home = await mkdtemp(join(tmpdir(), 'murmuration-role-'))
  // Imitates the read-only root of the container: no folder can be created below the working folder.
  await writeFile(join(home, '.data'), '')
  const folders = new Map<string, string>()
  for (const { name, mountPath } of container.volumeMounts) {
    const volume: AnySpec = options.pod.volumes.find((one) => one.name === name)
    const claim = volume.persistentVolumeClaim && options.claims[volume.persistentVolumeClaim.claimName]
    const folder = claim ?? join(home, name)
    await mkdir(folder, { recursive: true })
    if (volume.projected) await project(folder, volume, options.secrets)
    folders.set(mountPath, folder)
  }
  /** Path on this machine of a path in the container. A path outside of the mounts cannot be created. */
  const here = (value: string): string => {
    const mount = [...folders.keys()].find((path) => value === path || dirname(value) === path)
    if (mount) return value.replace(mount, folders.get(mount) ?? '')
    return value.startsWith('/') ? join(home, '.data', value) : value
  }
  const given = Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, here(value)]))
  const [program = '', ...words] = container.args
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', at('bin/lib/own-source-maps.mjs'), at(`bin/dist/${program}.js`), ...words],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        TMPDIR: folders.get('/tmp'),
        NODE_ENV: 'production',
        ...options.config,
        ...given,
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: String(options.healthPort),
        ...options.other,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  const hear = (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-8_000)
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    healthPort: options.healthPort,
    ended: () => child.exitCode ?? child.signalCode,
    said: () => said,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await gone
      await rm(home, { recursive: true, force: true })
    },
  }
}
