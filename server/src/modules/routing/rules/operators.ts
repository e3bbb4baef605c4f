export { foldText, numberOf } from '#kernel/conditions/operators.ts'
