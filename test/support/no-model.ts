/** For stages that no request to a model reaches. */
export const noModel = (): Promise<never> =>
  Promise.reject(new Error('a request to a model was not expected'))
