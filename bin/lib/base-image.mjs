/** Provides the base image of the Dockerfile: the official one, or a substitute from Debian and npm if it cannot be pulled. */
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { isRoot, packageFolder, root, which } from './machine.mjs'
import { lastLine, run } from './run.mjs'
import { refusal } from './say.mjs'

const SUITE = 'bookworm'
const folder = join(root, '.data/image/base')
const { packageManager, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const name = `node-linux-${process.arch}`
const node = { name, version: optionalDependencies[name] }

/** Name of the base image in the Dockerfile, such as node:24-bookworm-slim. */
export const officialBase = () => /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))[1]

/**
 * Returns the base image of the build: the official image if it is stored locally or can be pulled, else the substitute.
 * @param {string[]} docker command of the Docker client
 * @param {(text: string) => void} say
 * @returns {Promise<string>} name of the image
 */
export async function baseImage(docker, say) {
  const official = officialBase()
  const standIn = standInName()
  for (const name of [official, standIn]) if (await hasImage(docker, name)) return name
  const pulled = await run([...docker, 'pull', '--quiet', official], { timeout: 300_000 })
  if (pulled.ok) return official
  say(`${official} cannot be pulled (${lastLine(pulled.stderr)}): making a stand-in from Debian and npm`)
  await makeStandIn(docker, standIn)
  return standIn
}

export const hasImage = async (docker, name) => (await run([...docker, 'image', 'inspect', name])).ok

/** Name of the substitute for the base image. It contains a hash of all inputs of the substitute. */
function standInName() {
  const text = [SUITE, node.version, packageManager, readFileSync(new URL(import.meta.url), 'utf8')].join('\n')
  return `murmuration-base:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

async function makeStandIn(docker, name) {
  if (!node.version) throw refusal(`npm has no Node for ${node.name}: name a base image with --base.`)
  if (!isRoot || !which('debootstrap')) {
    throw refusal('A stand-in needs root and debootstrap: install it, or name a base image with --base.')
  }
  // Installs the npm packages of a fresh clone, because the substitute takes Node from them.
  bootstrap()
  const tree = join(folder, 'tree')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const [npm] = await Promise.all([fetchNpm(), must(['debootstrap', '--variant=minbase', SUITE, tree, await mirror()])])
  const local = join(tree, 'usr/local')
  copyFileSync(join(packageFolder(node.name), 'bin/node'), join(local, 'bin/node'))
  chmodSync(join(local, 'bin/node'), 0o755)
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  for (const command of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(local, 'bin', command))
  }
  for (const waste of ['var/cache/apt', 'var/lib/apt/lists', 'var/log/bootstrap.log']) {
    rmSync(join(tree, waste), { recursive: true, force: true })
  }
  const archive = join(folder, 'base.tar')
  await must(['tar', '-C', tree, '--sort=name', '-cf', archive, '.'])
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  await must([...docker, 'import', '--change', `ENV ${path}`, '--change', 'CMD ["node"]', archive, name])
  rmSync(folder, { recursive: true, force: true })
}

async function fetchNpm() {
  const prefix = join(folder, 'npm')
  mkdirSync(prefix)
  await must(['npm', 'install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', packageManager])
  return join(prefix, 'node_modules/npm')
}

/** URL of the Debian mirror of this machine. */
async function mirror() {
  const format = ['--format', '$(REPO_URI)', 'Identifier: Packages', `Release: ${SUITE}`]
  const { stdout } = await run(['apt-get', 'indextargets', ...format])
  return stdout.split('\n').find(Boolean) ?? 'http://deb.debian.org/debian'
}

/** Runs a program that may take minutes. If the program fails, throws an error with the last line of its output. */
async function must(argv) {
  const { ok, stdout, stderr } = await run(argv, { timeout: 600_000 })
  if (!ok) throw refusal(`${argv[0]} failed: ${lastLine(stderr) || lastLine(stdout)}`)
}
