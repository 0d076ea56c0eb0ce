/** The number of tries of jobs that fail with a defect. */
import { DEFAULT_RETRY, fail, IMPORT_RETRY, PATIENT_RETRY } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { createDefectLimit } from './defect-limit.js'
import { PermanentError } from './messages.js'

const defect = () => Promise.reject(new TypeError('a defect'))
const away = () => Promise.reject(fail('unavailable', 'Try again in a moment'))

test('an import is given up after the usual number of tries with a defect, however long it waited for a service', async () => {
  const limit = createDefectLimit(IMPORT_RETRY)
  for (let times = 1; times < IMPORT_RETRY.times - DEFAULT_RETRY.times; times++)
    await expect(limit('1', away)).rejects.toMatchObject({ code: 'unavailable' })
  for (let times = 1; times < DEFAULT_RETRY.times; times++) await expect(limit('1', defect)).rejects.toThrow(TypeError)
  await expect(limit('2', defect)).rejects.toThrow(TypeError)
  await expect(limit('1', defect)).rejects.toMatchObject({ reason: 'TypeError', cause: expect.any(TypeError) })
  // The restored job has all its tries.
  await expect(limit('1', defect)).rejects.toThrow(TypeError)
})

test('a success ends the count, and the retry policy of other jobs has none', async () => {
  const limit = createDefectLimit({ ...PATIENT_RETRY, defectTimes: 2 })
  await expect(limit('1', defect)).rejects.toThrow(TypeError)
  expect(await limit('1', async () => 'done')).toBe('done')
  await expect(limit('1', defect)).rejects.toThrow(TypeError)
  await expect(limit('1', defect)).rejects.toThrow(PermanentError)
  const patient = createDefectLimit(PATIENT_RETRY)
  for (let times = 0; times < PATIENT_RETRY.times; times++)
    await expect(patient('1', defect)).rejects.toThrow(TypeError)
})
