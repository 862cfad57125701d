throw new Error('this thread can not load');
