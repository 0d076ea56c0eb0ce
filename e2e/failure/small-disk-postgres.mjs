/**
 * PostgreSQL on a small disk that tests can fill. Runs as root of a user and mount namespace. Mounts the disk on the given folder,
 * prints the address of the server, and reads the commands `fill` and `free` as lines. Restarts a server that ends.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startPostgres } from '../../bin/lib/postgres.mjs'

const [dir = '', port = ''] = process.argv.slice(2)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=700', 'tmpfs', dir])
const ballast = join(dir, 'ballast')

const fill = () => {
  const file = openSync(ballast, 'a')
  try {
    for (let size = 1_048_576; size >= 4_096; )
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size /= 2
      }
  } finally {
    closeSync(file)
  }
  return statfsSync(dir).bavail
}

let stopping = false
const start = async () => {
  const { url, child } = await startPostgres({
    dir,
    port: Number(port),
    password: 'small',
    lasting: false,
    hold: { remember: () => undefined },
    say: () => undefined,
    onStart: () => undefined,
  })
  process.stdout.write(`${url}\n`)
  return child
}
let server = await start()
const keep = () =>
  server.ended.then(async () => {
    while (!stopping)
      try {
        server = await start()
        return void keep()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
  })
keep()
for await (const line of createInterface(process.stdin)) {
  if (line === 'fill') process.stdout.write(`full ${fill()}\n`)
  if (line === 'free') {
    rmSync(ballast, { force: true })
    process.stdout.write('free\n')
  }
}
stopping = true
await server.stop()
process.exit(0)
