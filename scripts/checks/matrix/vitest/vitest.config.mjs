// One worker for all files: what is made for a worker is shared by them.
export default { test: { isolate: false, fileParallelism: false } };
