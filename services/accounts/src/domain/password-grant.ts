/** Whether applications may send passwords: a switch that is off in production unless somebody turned it on. */

export const passwordGrantAllowed = (
  setting: 'auto' | 'true' | 'false',
  mode: 'production' | 'development' | 'test',
): boolean => (setting === 'auto' ? mode !== 'production' : setting === 'true')
