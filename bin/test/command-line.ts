/** Runs command lines of operators in tests, with a connection that stays open. */
import type { Operator } from '../control/operator.js'
import { runCommandLine } from '../control/program.js'

export interface Ran {
  status: number
  text: string
  error: string
  /** Bytes on standard output, if the command writes a file to it. */
  bytes?: Buffer
}

/** Runs a command line. With `operator` null, a command that connects fails. */
export const runWords = async (operator: Operator | null, ...words: string[]): Promise<Ran> => {
  const ran: Ran = { status: -1, text: '', error: '' }
  const connect = async (): Promise<Operator> => {
    if (operator === null) throw new Error('this command line connects')
    return { ...operator, close: async () => undefined }
  }
  const write = (output: string | Buffer): void => {
    if (typeof output === 'string') ran.text += output
    else ran.bytes = output
  }
  const writeError = (text: string): void => {
    ran.error += text
  }
  ran.status = await runCommandLine(words, { connect, write, writeError })
  return { ...ran, text: ran.text.trimEnd(), error: ran.error.trimEnd() }
}

/** Output of a command that must succeed. Throws an error with its output if the command fails. */
export const textOf = async (operator: Operator, ...words: string[]): Promise<string> => {
  const { status, text, error } = await runWords(operator, ...words)
  if (status !== 0) throw new Error(error || text)
  return text
}

/** Parsed output of a command with `--json` that must succeed. */
export const dataOf = async (operator: Operator, ...words: string[]): Promise<unknown> =>
  JSON.parse(await textOf(operator, ...words, '--json'))
