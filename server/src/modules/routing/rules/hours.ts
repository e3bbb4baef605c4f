export * from '#kernel/conditions/hours.ts'
