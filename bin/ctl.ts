/** `bin/ctl`: the operator's command line; see bin/control/program.ts. */
import { connectOperator } from './control/operator.js'
import { runCommandLine } from './control/program.js'

// The reader of the output, such as `head`, may end first. The command still runs to its end.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await runCommandLine(process.argv.slice(2), {
  connect: connectOperator,
  write: (output) => void process.stdout.write(output),
  writeError: (text) => void process.stderr.write(text),
})
