/** Reads fields of sign-up and login forms, and shows their validation errors. */
import { Failure, problemsOf as problemsIn } from '@murmuration/contracts/kit'
import { errorMessage } from './error-message.js'
import { type Html, html } from './html.js'

export type Form = Readonly<Record<string, unknown>>

/** Text of the form field `user[name]`, at most `max` characters; empty without the field. */
export const userField = (form: Form, name: string, max = 10_000): string => {
  const { user } = form
  const value = typeof user === 'object' && user !== null ? (user as Form)[name] : undefined
  return typeof value === 'string' ? value.slice(0, max) : ''
}

/** Returns the validation errors of a service as translated sentences. Rethrows every other error. */
export const problemsOf = (error: unknown): string[] => {
  if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error
  return problemsIn(error).map((one) => `${errorMessage(one).replace(/\.$/, '')}.`)
}

/** An alert above a form; empty without problems. Screen readers read the alert out at once. */
export const alertOf = (problems: readonly string[]): Html | '' => {
  if (problems.length === 0) return ''
  const [first] = problems
  return html`<div class="flash wrong" role="alert">${
    problems.length === 1 ? (first ?? '') : html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`
  }</div>`
}
