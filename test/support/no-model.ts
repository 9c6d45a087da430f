/** For stages that receive no model requests. */
export const noModel = (): Promise<never> =>
  Promise.reject(new Error('a request to a model was not expected'))
