/**
 * A network namespace for tests, with addresses that count as public, and with its own hosts file. Clusters in it reach
 * each other by name and over TLS, and checks against private addresses remain on. No packet leaves it, because it has
 * only a loopback interface and no route.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NetworkProxies, openProxies } from './network-proxies.js'

export interface NetworkOptions {
  /**
   * IP addresses of the namespace with their host names. The servers' checks must accept the addresses as public
   * unicast addresses, such as those of {@link publicAddress}. Ranges for documentation are refused.
   */
  hosts: Readonly<Record<string, readonly string[]>>
}

export interface Network extends Pick<NetworkProxies, 'openSocket' | 'expose'> {
  /** Returns the command line that runs `command` in the namespace. For supervisors that start and end the process themselves. */
  wrap(command: readonly string[]): string[]
  /** Runs a command in the namespace. {@link Network.close} ends it. */
  spawn(command: readonly string[], options?: SpawnOptions): ChildProcess
  /** Ends spawned processes and removes the namespace. */
  close(): Promise<void>
}

/** Address number `n`, from 1 to 254, of a range of public unicast addresses. */
export const publicAddress = (n: number): string => {
  if (!(Number.isInteger(n) && n >= 1 && n <= 254)) throw new Error(`publicAddress: ${n} is not between 1 and 254`)
  return `45.60.${n}.1`
}

const isRoot = () => process.getuid?.() === 0
// With `--user`, the caller is root only in the new namespaces. No further rights are needed.
const userFlags = () => (isRoot() ? [] : ['--user', '--map-root-user'])

/**
 * Command prefix that ends a child process together with the test process. Children of a killed test process would keep
 * the namespace alive.
 */
const diesWithParent = ['setpriv', '--pdeathsig', 'TERM', '--']

/** Script that configures the namespace from inside. It uses perl, because each Debian has perl, and some have no iproute2. */
const setUp = `set -e
mount --bind "$1/hosts" /etc/hosts
mount --bind "$1/resolv.conf" /etc/resolv.conf
shift
if command -v ip >/dev/null; then
  ip link set lo up
  for address in "$@"; do ip address add "$address/32" dev lo; done
else
  perl -MSocket -e '
    sub set { my ($what, $value) = @_; ioctl(S, $what, $value) or die $! }
    sub at { pack("a16 a16 x8", $_[0], pack_sockaddr_in(0, inet_aton($_[1]))) }
    socket(S, PF_INET, SOCK_DGRAM, 0) or die $!;
    set(0x8914, pack("a16 s x22", "lo", 0x41));
    for my $address (@ARGV) {
      my $name = "lo:" . $i++;
      set(0x8916, at($name, $address));
      set(0x891c, at($name, "255.255.255.255"));
    }' "$@"
fi
(echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start) 2>/dev/null || true
echo ready
exec cat`

/**
 * Creates the namespace. It ends with the test process, also when that is killed.
 *
 * @throws Error with one sentence if the machine cannot create it (needs Linux, util-linux, and root or user
 * namespaces)
 * @example
 * const network = await startNetwork({ hosts: { [publicAddress(1)]: ['one.example'], [publicAddress(2)]: ['two.example'] } })
 * network.spawn(['node', 'server.js'])
 */
export const startNetwork = async ({ hosts }: NetworkOptions): Promise<Network> => {
  const addresses = Object.keys(hosts)
  for (const address of addresses) if (!isIPv4(address)) throw new Error(`hosts: ${address} is not an IPv4 address`)
  const dir = await mkdtemp(join(tmpdir(), 'murmuration-net-'))
  const children = new Set<ChildProcess>()
  let proxies: NetworkProxies | undefined
  const close = async () => {
    await proxies?.close()
    await Promise.all([...children].map(end))
    holder.stdin?.end()
    if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit')
    await rm(dir, { recursive: true, force: true })
  }
  const lines = Object.entries(hosts).map(([address, names]) => `${address} ${names.join(' ')}`)
  await writeFile(join(dir, 'hosts'), ['127.0.0.1 localhost', ...lines, ''].join('\n'))
  // No resolver listens on this address, so lookups of names that are not in the hosts file fail at once.
  await writeFile(join(dir, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')

  const flags = ['--net', '--mount', '--propagation', 'private']
  const holder = spawn('unshare', [...userFlags(), ...flags, 'sh', '-c', setUp, 'sh', dir, ...addresses])
  const failure = await whenReady(holder)
  if (failure) {
    await rm(dir, { recursive: true, force: true })
    throw new Error(`a network namespace cannot be made here: ${failure}`)
  }

  const enter = ['nsenter', '--target', String(holder.pid), ...(isRoot() ? [] : ['--user', '--preserve-credentials'])]
  const wrap = (command: readonly string[]) => [...enter, '--net', '--mount', '--', ...command]
  const run = (command: readonly string[], options: SpawnOptions = {}): ChildProcess => {
    const [file, ...args] = wrap([...diesWithParent, ...command])
    const child = spawn(file!, args, options)
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }

  try {
    proxies = await openProxies((command) => run(command, { stdio: ['pipe', 'pipe', 'inherit'] }), dir)
  } catch (error) {
    await close()
    throw error
  }
  return { wrap, spawn: run, openSocket: proxies.openSocket, expose: proxies.expose, close }
}

/** Resolves with undefined when the process printed `ready`, or with the reason if it failed. */
const whenReady = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    let output = ''
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code) => resolve(output.trim() || `it ended with ${code}`))
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    child.stdout?.once('data', () => resolve(undefined))
  })

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(patience)
}
