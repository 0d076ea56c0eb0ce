/** Prepares a fresh clone: checks the Node version, installs packages if the lock file changed, and finds the Node to use. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { matchesLockfile } from './installed.mjs'
import { isAtLeast, makeRunnable, platform, root } from './machine.mjs'
import { refusal, say } from './say.mjs'

const oldestHere = '20.19.0'
const productMajor = 24

/** @returns {string} the path of the Node that runs the product */
export function bootstrap() {
  if (!isAtLeast(process.versions.node, oldestHere)) {
    throw refusal(
      `Node ${process.versions.node} is too old to start with: install Node ${productMajor} (20.19 is enough where npm can bring ${productMajor}).`,
    )
  }
  install()
  return productNode()
}

function install() {
  const stamp = join(root, 'node_modules/.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(platform)
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!matchesLockfile(root)) runNpm()
  writeFileSync(stamp, wanted)
}

/** Runs `npm ci` without install scripts, because no package needs one. */
function runNpm() {
  say('installing dependencies with npm ci')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { npm_execpath: npm = '' } = process.env
  const [program, ...rest] = npm.endsWith('npm-cli.js') ? [process.execPath, npm, ...args] : ['npm', ...args]
  const { status, signal, error } = spawnSync(program, rest, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  throw refusal(
    signal
      ? 'The installation was interrupted; the next start begins it again.'
      : `npm ci failed (${error?.message ?? `code ${status}`}): see its lines above, and check that the package registry can be reached.`,
  )
}

function productNode() {
  const pinned = join(root, 'node_modules', `node-${platform}`, 'bin/node')
  const hasPinned = existsSync(pinned) && makeRunnable(pinned)
  if (hasPinned) linkBin(pinned)
  if (Number.parseInt(process.versions.node, 10) >= productMajor) return process.execPath
  if (hasPinned && spawnSync(pinned, ['--version']).status === 0) return pinned
  throw refusal(
    `The product needs Node ${productMajor}, and npm has none for ${platform}: install Node ${productMajor}.`,
  )
}

/** Links Node in node_modules/.bin. npm puts this folder first on the path, so that every npm script uses the same Node. */
function linkBin(pinned) {
  const link = join(root, 'node_modules/.bin/node')
  const target = relative(dirname(link), pinned)
  try {
    if (readlinkSync(link) === target) return
  } catch {
    // No link exists yet.
  }
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(target, link)
}

/** Arguments with which Node runs a TypeScript file of this repository from its source. */
export const sourceArgv = (node, file, ...args) => [
  node,
  '--conditions=source',
  '--import',
  join(root, 'bin/lib/typescript.mjs'),
  join(root, file),
  ...args,
]
