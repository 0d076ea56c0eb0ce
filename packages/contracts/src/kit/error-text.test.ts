/** Error texts: their English form, and their way through the metadata of a response. */
import { expect, test } from 'vitest'
import { ErrorText, errorText, phrasesIn, receivedText } from './error-text.js'
import { Failure, fail, invalidField, phrasesOf, problemsOf } from './errors.js'
import { fieldProblem, fieldText } from './field-text.js'

test('the English text has its arguments, and two apostrophes before one are one', () => {
  expect(String(errorText('Unknown {name}: {value}', { name: 'origin', value: '{name} $&' }))).toBe(
    'Unknown origin: {name} $&',
  )
  expect(String(errorText("not ''{value}''", { value: 5 }))).toBe("not '5'")
  expect(String(new ErrorText('{unknown}'))).toBe('{unknown}')
  expect(JSON.stringify({ error: errorText('Not Found') })).toBe('{"error":"Not Found"}')
})

test('a failure has its English text as the message', () => {
  expect(fail('not_found', 'Record not found').message).toBe('Record not found')
  const failure = invalidField("Title can't be blank", fieldProblem('display_name', errorText('is invalid')))
  expect(failure.message).toBe("Validation failed: Title can't be blank, Display name is invalid")
  expect(problemsOf(failure).map(String)).toEqual(["Title can't be blank", 'Display name is invalid'])
})

test('the problems of an English validation error of an earlier release are told apart', () => {
  const failure = { text: new ErrorText("Validation failed: Title can't be blank, Name is odd, or so") } as Failure
  expect(problemsOf(failure).map(String)).toEqual(["Title can't be blank", 'Name is odd, or so'])
})

test('texts with arguments are phrases, and become error texts again', () => {
  const problem = fieldProblem('email', errorText('is too long (maximum is {most} characters)', { most: 9 }))
  const { text } = invalidField(problem)
  const body = { details: { email: [{ error: 'ERR_TOO_LONG', description: problem.args.problem }] }, other: 'x' }
  const phrases = phrasesIn([text, body])
  expect(Object.keys(phrases)).toEqual([text.toString(), 'is too long (maximum is 9 characters)'])
  const received = JSON.parse(JSON.stringify({ phrases, body })) as { phrases: typeof phrases; body: unknown }
  expect(receivedText(text.toString(), received.phrases)).toEqual(text)
  const passedOn = new Failure('unprocessable', text, { body: { a: 'b' }, phrases: received.phrases })
  expect(phrasesOf(passedOn)).toEqual(phrases)
  expect(receivedText('Not Found', received.phrases)).toEqual(new ErrorText('Not Found'))
})

test('the name of an object member is no phrase', () => {
  expect(receivedText('toString').message).toBe('toString')
  expect(phrasesIn({ error: 'plain', list: [1, null] })).toEqual({})
})

test('the name of a field is a text of its own', () => {
  expect(String(fieldText('display_name'))).toBe('Display name')
  expect(fieldText('some_parameter')).toEqual(new ErrorText('Some parameter'))
})

test('the compiler refuses texts that the check of the catalogue cannot read', () => {
  const some: string = 'Not Found'
  const table = { a: 'One', b: 'Two' } as const
  const key = 'a' as 'a' | 'b'
  // @ts-expect-error a string
  expect(fail('not_found', some).message).toBe('Not Found')
  // @ts-expect-error a value of a table
  expect(errorText(table[key]).message).toBe('One')
  // @ts-expect-error a problem that is a string
  expect(invalidField(some).message).toBe('Validation failed: Not Found')
})
