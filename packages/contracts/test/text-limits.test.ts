/** Texts and lists whose limit the service states: the schema refuses none that a body may contain, so that the refusal has the right number. */
import { expect, test } from 'vitest'
import {
  accountMany,
  changeProfile,
  changeUserEmail,
  createAccountByOperator,
  createApp,
  createCollection,
  createList,
  createRole,
  setNote,
  updateList,
  updateRole,
} from '../src/accounts/index.js'
import { createReport, createWarningPreset } from '../src/admin/index.js'
import type { AnyOperation } from '../src/kit/index.js'
import { updateAttachment } from '../src/media/index.js'
import { createFilter, createStatus, editStatus, listStatuses, vote } from '../src/statuses/index.js'

/** Characters of the longest body. */
const LONG = 'x'.repeat(262_144)

test.each<[AnyOperation, object]>([
  [createList, { title: LONG }],
  [updateList, { id: '1', title: LONG }],
  [createCollection, { name: LONG, description: LONG }],
  [changeProfile, { id: '1', display_name: LONG, note: LONG, fields_attributes: [{ name: LONG, value: LONG }] }],
  [setNote, { id: '1', comment: LONG }],
  [createApp, { client_name: LONG, redirect_uris: [LONG], scopes: LONG, website: LONG }],
  [createStatus, { status: LONG, spoiler_text: LONG, poll: { options: [LONG, LONG], expires_in: 300 } }],
  [editStatus, { id: '1', status: LONG, media_attributes: [{ id: '1', description: LONG }] }],
  [updateAttachment, { id: '1', description: LONG }],
  [createFilter, { title: LONG, context: ['home'], keywords_attributes: [{ keyword: LONG }] }],
  [createReport, { account_id: '1', comment: LONG }],
  [createWarningPreset, { title: LONG, text: LONG }],
  [createAccountByOperator, { username: LONG, email: LONG, password: LONG, role: LONG }],
  [changeUserEmail, { id: '1', email: LONG }],
  [createRole, { name: LONG }],
  [updateRole, { id: '1', name: LONG }],
])('$name accepts texts of any length', (operation, input) => {
  const result = operation.input.safeParse(input)
  expect(String(result.error ?? '')).toBe('')
})

/** More items than a body may contain. */
const MANY = Array.from({ length: 20_001 }, (_, i) => String(i + 1))

test.each<[AnyOperation, object]>([
  [changeProfile, { id: '1', attribution_domains: MANY, fields_attributes: MANY.map((name) => ({ name })) }],
  [createCollection, { name: 'Birds', account_ids: MANY }],
  [accountMany, { id: MANY }],
  [createStatus, { media_ids: MANY, poll: { options: MANY, expires_in: 300 } }],
  [editStatus, { id: '1', media_ids: MANY, poll: { options: MANY, expires_in: 300 } }],
  [listStatuses, { id: MANY }],
  [vote, { id: '1', choices: MANY }],
])('$name accepts lists of any length', (operation, input) => {
  const result = operation.input.safeParse(input)
  expect(String(result.error ?? '')).toBe('')
})
