/** Finds a real Helm: HELM_BIN, the one on PATH, the one of bin/tools.mjs, a copy built earlier, or one that Go builds now. */
import { execFile } from 'node:child_process'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/** The release that is built when the machine has Go and no Helm. */
export const HELM_VERSION = '3.21.4'
/** Path to which `node bin/tools.mjs --install helm` writes Helm. */
const PROVIDED = fileURLToPath(new URL('../.data/programs/helm/bin/helm', import.meta.url))
const BUILD_MS = 300_000
/** After a failed build, such as without network, nobody tries again for this long. */
const RETRY_MS = 600_000

const answers = async (program: string, args: readonly string[]): Promise<boolean> =>
  exec(program, [...args], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )

/** A folder for built tools that nobody else on the machine may write to; null when somebody else made it. */
const toolsFolder = async (): Promise<string | null> => {
  const folder = join(tmpdir(), 'murmuration-tools')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return (await stat(folder)).uid === userInfo().uid ? folder : null
}

/** Takes the lock folder, or waits for whoever holds it; false when the other one finished or gave up. */
const takeLock = async (lock: string): Promise<boolean> => {
  try {
    await mkdir(lock)
    return true
  } catch {
    const until = Date.now() + BUILD_MS
    while (Date.now() < until) {
      const held = await stat(lock).catch(() => null)
      if (!held) return false
      // A builder that was killed leaves its lock behind.
      if (Date.now() - held.mtimeMs > BUILD_MS) await rm(lock, { recursive: true, force: true })
      await pause(500)
    }
    return false
  }
}

const build = async (tools: string, helm: string): Promise<void> => {
  const lock = join(tools, 'helm.lock')
  const failed = join(tools, 'helm.failed')
  const before = await stat(failed).catch(() => null)
  if (before && Date.now() - before.mtimeMs < RETRY_MS) return
  if (!(await takeLock(lock))) return
  const fresh = join(tools, `helm-${process.pid}`)
  try {
    console.warn(`helm: building v${HELM_VERSION} with Go, once; this takes a minute or two`)
    await exec('go', ['install', `helm.sh/helm/v3/cmd/helm@v${HELM_VERSION}`], {
      env: { ...process.env, GOBIN: fresh, GOFLAGS: '-buildvcs=false' },
      timeout: BUILD_MS,
      maxBuffer: 16_777_216,
    })
    await mkdir(join(helm, '..'), { recursive: true })
    await rename(join(fresh, 'helm'), helm)
  } catch (error) {
    await writeFile(failed, String(error)).catch(() => {})
    console.warn(`helm: Go could not build it: ${String((error as Error).message).split('\n')[0]}`)
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(lock, { recursive: true, force: true })
  }
}

/**
 * The command of a working Helm 3 or 4, or null when the machine has none and cannot build one. The first call on a
 * machine with Go and without Helm takes a minute or two; the built copy is kept in the temporary folder. `.ci/run` installs
 * Helm before.
 */
export const findHelm = async (): Promise<string | null> => {
  const chosen = process.env.HELM_BIN
  if (chosen) return (await answers(chosen, ['version', '--short'])) ? chosen : null
  if (await answers('helm', ['version', '--short'])) return 'helm'
  if (await answers(PROVIDED, ['version', '--short'])) return PROVIDED
  const tools = await toolsFolder()
  if (!tools) return null
  const helm = join(tools, `helm-v${HELM_VERSION}`, 'helm')
  if (await answers(helm, ['version', '--short'])) return helm
  if (!(await answers('go', ['version']))) return null
  await build(tools, helm)
  return (await answers(helm, ['version', '--short'])) ? helm : null
}
