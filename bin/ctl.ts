/** `bin/ctl`: the operator's command line; see bin/control/program.ts. */
import { connectOperator } from './control/operator.js'
import { runCommandLine } from './control/program.js'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  connect: connectOperator,
  write: (output) => void process.stdout.write(output),
  writeError: (text) => void process.stderr.write(text),
})
