/** Builds the images of the Dockerfile with Docker, unless images of the same inputs exist. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { baseImage } from './base-image.mjs'
import { lockDataFolder } from './data-folder-lock.mjs'
import { root } from './machine.mjs'
import { run } from './run.mjs'
import { refusal } from './say.mjs'
import { findTool } from './tools.mjs'

/** Names of the built images, by target of the Dockerfile. */
export const TARGETS = { app: 'murmuration:local', media: 'murmuration-media:local' }

const LABEL = 'murmuration.inputs'

/**
 * @param {{targets?: (keyof typeof TARGETS)[], base?: string, say: (text: string) => void}} options base: base image; by
 *   default the official one or its substitute
 * @returns {Promise<Record<string, string>>} target → name of the image
 */
export async function buildImages({ targets = ['app', 'media'], base, say }) {
  const found = await findTool('docker')
  if ('missing' in found)
    throw refusal(`Docker is missing (${found.missing}): as root, "node bin/tools.mjs --install docker" provides it.`)
  const held = await lockBuilds(say)
  try {
    return await buildLocked({ docker: found.argv, targets, base, say })
  } finally {
    held.release()
  }
}

/** Waits while another process builds images, because it may build the same images. */
async function lockBuilds(say) {
  for (let waited = false; ; waited = true) {
    try {
      return await lockDataFolder(join(root, '.data/image'))
    } catch (error) {
      if (!error.message.includes('is in use')) throw error
      if (!waited) say('waiting for another build')
      await pause(1_000)
    }
  }
}

async function buildLocked({ docker, targets, base, say }) {
  const from = base ?? (await baseImage(docker, say))
  const inputs = await hashOfInputs(from)
  const one = async (target) => {
    const name = TARGETS[target]
    if ((await labelOf(docker, name)) === inputs) return say(`${name} is there already`)
    say(`building ${name}`)
    await build({ docker, target, name, from, inputs })
    say(`built ${name}`)
  }
  // The images are built one after the other, so that the second build takes the common steps from the cache.
  for (const target of targets) await one(target)
  // Removes earlier images of these names. The new builds have left them without a tag.
  await run([...docker, 'image', 'prune', '--force', '--filter', `label=${LABEL}`])
  return Object.fromEntries(targets.map((target) => [target, TARGETS[target]]))
}

async function labelOf(docker, name) {
  const format = `{{index .Config.Labels "${LABEL}"}}`
  return (await run([...docker, 'image', 'inspect', '--format', format, name])).stdout.trim()
}

/** Hash of the name of the base image and of the build context: tracked and new files, without those in .dockerignore. */
async function hashOfInputs(from) {
  const listed = await run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  if (!listed.ok) return `unknown-${Date.now()}`
  const ignored = ignoreRules(readFileSync(join(root, '.dockerignore'), 'utf8'))
  const hash = createHash('sha256').update(from)
  for (const path of [...new Set(listed.stdout.split('\0'))].filter(Boolean).sort()) {
    if (path !== 'Dockerfile' && (ignored(path) || !existsSync(join(root, path)))) continue
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

/**
 * Parses the used subset of .dockerignore: a path, `**\/` before a name at any depth, `*` inside a name, and `!`.
 * @param {string} text of the file
 * @returns {(path: string) => boolean} true for an excluded path; the last matching rule decides
 */
export function ignoreRules(text) {
  const rules = text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map(ruleOf)
  return (path) => rules.reduce((ignored, { keeps, matches }) => (matches.test(path) ? !keeps : ignored), false)
}

function ruleOf(line) {
  const [, exception, anywhere, name] = /^(!?)(\*\*\/)?(.+)$/.exec(line)
  const body = name.replace(/[.+^$()[\]{}|?\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return { keeps: exception === '!', matches: new RegExp(`^${anywhere ? '(?:.*/)?' : ''}${body}(?:/|$)`) }
}

async function build({ docker, target, name, from, inputs }) {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-image-'))
  try {
    const secrets = await npmSecrets(folder)
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].filter((key) => process.env[key])
    const args = [
      ...['build', '--target', target, '--tag', name, '--build-arg', `NODE_IMAGE=${from}`],
      ...['--label', `${LABEL}=${inputs}`, '--network', 'host'],
      ...secrets.flatMap(([id, file]) => ['--secret', `id=${id},src=${file}`]),
      ...proxies.flatMap((key) => ['--build-arg', key]),
      '.',
    ]
    await attended([...docker, ...args])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** npm settings of this machine as build secrets: the user's .npmrc, the registry, and trusted certificates. */
async function npmSecrets(folder) {
  const setting = async (key) => {
    const value = (await run(['npm', 'config', 'get', key], { cwd: folder })).stdout.trim()
    return value === 'null' || value === 'undefined' ? '' : value
  }
  const [user, registry, cafile] = await Promise.all(['userconfig', 'registry', 'cafile'].map(setting))
  const own = user && existsSync(user) ? readFileSync(user, 'utf8').replace(/^\s*cafile\s*=.*$/gm, '') : ''
  const npmrc = join(folder, 'npmrc')
  writeFileSync(npmrc, `${own}\n${registry ? `registry=${registry}\n` : ''}`, { mode: 0o600 })
  const authorities = [cafile, process.env.NODE_EXTRA_CA_CERTS].find((file) => file && existsSync(file))
  return [['npmrc', npmrc], ...(authorities ? [['ca', authorities]] : [])]
}

/** Runs the build of an image, with its output on standard error. */
const attended = ([program, ...args]) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DOCKER_BUILDKIT: '1', BUILDKIT_PROGRESS: 'plain' }
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 2, 2] })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(refusal(`docker build ended with ${code}; see above.`)),
    )
  })
