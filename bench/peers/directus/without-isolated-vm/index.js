// oxlint-disable-next-line import/no-default-export -- what it stands in for has one
export default {}
