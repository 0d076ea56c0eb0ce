/** Set-up file of test files: stops the clusters that a file left running, such as those whose set-up failed half way. */
import { afterAll } from 'vitest'
import { stopLeftClusters } from './cluster.js'

afterAll(stopLeftClusters)
