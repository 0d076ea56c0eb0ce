/** Runs command lines of operators in a test, on a connection that stays open. */
import type { Operator } from '../control/operator.js'
import { runCommandLine } from '../control/program.js'

export interface Ran {
  status: number
  text: string
  error: string
  /** The output of a command that prints a file. */
  bytes?: Buffer
}

/** `operator` is null where nothing may connect. */
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

/** The text of a command that succeeds; throws what it says otherwise. */
export const textOf = async (operator: Operator, ...words: string[]): Promise<string> => {
  const { status, text, error } = await runWords(operator, ...words)
  if (status !== 0) throw new Error(error || text)
  return text
}

/** The output with `--json` of a command that succeeds. */
export const dataOf = async (operator: Operator, ...words: string[]): Promise<unknown> =>
  JSON.parse(await textOf(operator, ...words, '--json'))
