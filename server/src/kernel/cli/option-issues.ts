import { AppError, ValidationFailed } from '../errors.ts'

/**
 * Runs a use case for a command. Issues in its `ValidationFailed` errors name options instead of fields:
 * `redirect_uris.1` becomes `--redirect-uri`. A field that has no option keeps its name.
 */
export async function withOptionNames<T>(
  options: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== ValidationFailed.code) throw error
    const issues = error.body.details ?? []
    throw ValidationFailed(
      issues.map(({ path, message }) => ({ path: options[path.split('.', 1)[0] ?? ''] ?? path, message })),
    )
  }
}
