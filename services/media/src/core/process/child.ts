/**
 * Runs external programs with limits, in their own process group. The programs end with their time limit, and with this
 * process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'

export interface ChildLimits {
  timeoutMs: number
  /** Maximum bytes of the address space of the program. */
  memoryBytes: number
  /** Maximum bytes of a file that the program writes. */
  fileBytes: number
}

export interface ChildOptions extends ChildLimits {
  program: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Called when the program has been started. */
  onStart?: () => void
}

/** Exit code and output of a program that ended by itself. `errors` is the end of its error output. */
export interface Ended {
  code: number
  stdout: string
  errors: string
}

/**
 * Reason why a program was stopped:
 * - `time`: the program exceeded its time limit.
 * - `output`: the program printed too much.
 * - `ended`: the program was ended with its process group, such as at the stop of this process.
 * - `killed`: only the program was ended, such as by the kernel for lack of memory. Its file may be the cause.
 */
export type StopReason = 'time' | 'output' | 'ended' | 'killed'

export class ChildStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Whether an error reports, or was caused by, a program that was killed and may have been killed because of its file. */
export const isKilled = (error: unknown): boolean =>
  (error instanceof ChildStopped && error.reason === 'killed') || (error instanceof Error && isKilled(error.cause))

/** Signals that end a program from outside. The signals of a crash, such as SIGSEGV, are not among them. */
export const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM'])

/** Exit codes of a program that a signal of `OUTSIDE_SIGNALS` ended: 128 and the number of the signal. */
const KILLED: ReadonlySet<number> = new Set(
  [...OUTSIDE_SIGNALS].map((name) => 128 + constants.signals[name as keyof typeof constants.signals]),
)

/**
 * Whether a program was ended from outside. ffmpeg catches SIGTERM, and then ends with code 255 and without a message.
 */
const wasKilled = (code: number | null, errors: Buffer): boolean =>
  code !== null && (KILLED.has(code) || (code === 255 && errors.length === 0))

/** Exit code of a program that the kernel ended because a file became too large: 128 and the number of SIGXFSZ. */
export const FILE_TOO_LARGE = 153

/**
 * Maximum processor time in seconds: the time limit, multiplied by the number of processors. A program that uses all
 * processors thus reaches the time limit first.
 */
const cpuSeconds = (timeoutMs: number): number => Math.ceil((timeoutMs * Math.max(2, availableParallelism())) / 1_000)

const MAX_OUTPUT = 1_048_576
/** Number of bytes of the error output that are kept. */
const ERRORS = 1_024

/**
 * Shell script that starts the program. The shell sets limits that Node cannot set, and gives the program an empty
 * input. Then it waits until the program or this process ends. When this process ends, also by SIGKILL, the input of
 * the shell is closed, and the shell kills the program (F008).
 */
const GUARD = `
ulimit -c 0
ulimit -t "$1" 2>/dev/null; ulimit -v "$2" 2>/dev/null; ulimit -f "$3" 2>/dev/null; ulimit -n 64 2>/dev/null
shift 3
exec 3<&0 0</dev/null
"$@" 3<&- &
program=$!
{ read -r _ <&3; kill -9 $program; } >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $program
code=$?
kill -9 $watch 2>/dev/null
exit $code
`

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The kill fails if no process of the group is left.
  }
}

export interface Children {
  /** Runs an external program to its end. Rejects with `ChildStopped` if the program exceeded a limit or was killed. */
  run(options: ChildOptions): Promise<Ended>
  /** Kills all programs that still run. */
  close(): void
}

export const createChildren = (): Children => {
  const running = new Set<ChildProcess>()
  return {
    run: ({ program, args, cwd, env, timeoutMs, memoryBytes, fileBytes, onStart }) =>
      new Promise((resolve, reject) => {
        const limits = [cpuSeconds(timeoutMs), Math.ceil(memoryBytes / 1_024), Math.ceil(fileBytes / 512)]
        const child = spawn('/bin/sh', ['-c', GUARD, 'guard', ...limits.map(String), program, ...args], {
          cwd,
          env,
          detached: true,
          stdio: ['pipe', 'pipe', 'pipe'],
        })
        running.add(child)
        if (child.pid !== undefined) onStart?.()
        const chunks: Buffer[] = []
        let size = 0
        let errors = Buffer.alloc(0)
        let stopped: ChildStopped | undefined
        const stop = (reason: StopReason, message: string) => {
          stopped ??= new ChildStopped(reason, message)
          killGroup(child)
        }
        const timer = setTimeout(() => stop('time', 'it took too long'), timeoutMs)
        child.stdin?.on('error', () => {})
        child.stdout?.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_OUTPUT) stop('output', 'it printed too much')
          else chunks.push(chunk)
        })
        child.stderr?.on('data', (chunk: Buffer) => {
          errors = Buffer.concat([errors, chunk]).subarray(-ERRORS)
        })
        const finish = () => {
          clearTimeout(timer)
          running.delete(child)
          killGroup(child)
        }
        child.once('error', (error) => {
          finish()
          reject(error)
        })
        child.once('close', (code, signal) => {
          finish()
          if (stopped ?? signal) reject(stopped ?? new ChildStopped('ended', `it was ended by ${signal}`))
          else if (wasKilled(code, errors)) reject(new ChildStopped('killed', `it was killed, with code ${code}`))
          else
            resolve({
              code: code ?? 1,
              stdout: Buffer.concat(chunks).toString('utf8'),
              errors: errors.toString('utf8'),
            })
        })
      }),
    close() {
      for (const child of running) killGroup(child)
    },
  }
}
